"""These modules write a table's record as PGN, scores, report, protocol and label."""
