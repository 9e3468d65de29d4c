"""Sound that is kept as evidence."""
