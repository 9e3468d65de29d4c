"""Bad input, said in one plain sentence (the same kind that `speech` raises)."""

from speech.complaint import Complaint, Phrase

__all__ = ["Complaint", "Phrase"]
