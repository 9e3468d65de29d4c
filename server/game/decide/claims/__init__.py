"""What players propose and claim: draws, resignations and questions about mate."""
