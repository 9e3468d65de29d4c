"""The spoken corpora that the model learns from."""
