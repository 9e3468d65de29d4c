"""Who hears which part of our own voice, and when: one queue for each ear."""
