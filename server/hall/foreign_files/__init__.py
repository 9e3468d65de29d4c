"""Files of other programs: what bytes they are written in, and the pairings and results in them."""
