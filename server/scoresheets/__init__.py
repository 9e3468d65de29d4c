"""Reading and comparing written scores (D.2.9). Pure."""
