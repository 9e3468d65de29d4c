"""The voices behind one Protocol, each in a child process."""
