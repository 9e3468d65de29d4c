"""These modules write what is signed after a game: its report, and the protocol of each reconciliation."""
