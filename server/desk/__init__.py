"""What the reconciliation desk answers to the arbiter."""
