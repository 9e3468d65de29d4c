"""These modules work out what the reconciliation desk answers to the arbiter."""
