"""Chess in braille, written and read: moves, positions, scores, displays and BRF pages."""
