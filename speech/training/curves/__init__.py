"""How the thresholds and curves of hearing are fitted."""
