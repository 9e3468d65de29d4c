"""This package decides who hears what of our own voice, and when: one queue for each ear."""
