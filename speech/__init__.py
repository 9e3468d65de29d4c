"""This package holds words, moves and sound: announcing, understanding, recognisers, voices, audio."""
