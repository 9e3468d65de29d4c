"""How the program gets onto a machine: locks, wheels, and a bundle for a machine without the internet."""
