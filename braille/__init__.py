"""Chess in braille cells, braille scores and BRF pages."""
