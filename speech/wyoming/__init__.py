"""Ears and voices on other machines of the hall, over the Wyoming protocol (docs/elsewhere.md)."""
