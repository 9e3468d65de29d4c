"""This folder decides how a move is made: announced, entered, sensed on a board, touched."""
