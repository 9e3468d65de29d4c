"""Boards that know what was lifted: neutral events, and the drivers that make them."""
