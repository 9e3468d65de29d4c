"""What the model learns from: spoken corpora, made and prepared."""
