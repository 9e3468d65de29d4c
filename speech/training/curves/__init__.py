"""The thresholds and curves of hearing, fitted."""
