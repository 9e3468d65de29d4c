"""The lines of stations over WebSockets: messages, sound, heartbeats and backups."""
