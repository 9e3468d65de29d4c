"""The ways in which a move is made: announced, entered, sensed on a board, touched."""
