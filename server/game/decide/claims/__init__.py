"""Proposals and claims of players: draws, resignations and questions about mate."""
