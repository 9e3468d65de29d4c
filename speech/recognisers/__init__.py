"""This package holds the recognisers behind one Protocol, each in a child process."""
