"""This package lets ears and voices be on other machines of the hall, over the Wyoming protocol (docs/elsewhere.md)."""
