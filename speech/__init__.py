"""Words, moves and sound: announcing, understanding, recognisers, voices, audio."""
