"""The commands by which the program is installed, set up and kept on a machine."""
