"""This package holds the voices behind one Protocol, each in a child process."""
