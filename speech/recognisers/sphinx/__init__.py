"""The recogniser that rests on pocketsphinx."""
