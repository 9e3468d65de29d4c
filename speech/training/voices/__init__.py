"""How voices differ, fitted from synthetic speakers."""
