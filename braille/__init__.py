"""This package writes and reads chess in braille: moves, positions, scores, displays and BRF pages."""
