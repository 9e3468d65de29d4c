"""This folder holds what players propose and claim: draws, resignations and questions about mate."""
