"""The values that everything in the game is made of: seats, positions, clocks, announcements."""
