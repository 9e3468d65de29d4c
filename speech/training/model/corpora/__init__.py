"""This package makes and prepares the spoken corpora that the model learns from."""
