"""What goes over WebSockets: the lines of stations, sound, heartbeats and backups."""
