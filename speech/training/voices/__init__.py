"""How voices differ, fitted on synthetic speakers."""
