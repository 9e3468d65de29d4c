"""Who may see what: the messages that leave the game, for each station."""
