"""What the events amount to, and how each event changes it."""
