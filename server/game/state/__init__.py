"""The state that the events add up to, and how each event changes it."""
