"""The answers of the reconciliation desk to the arbiter."""
