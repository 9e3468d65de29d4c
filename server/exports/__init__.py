"""A table's record as PGN, scores, report, protocol and label."""
