"""The recognisers behind one Protocol, each in a child process."""
