"""A table's record written as PGN, scores, report, protocol and label."""
