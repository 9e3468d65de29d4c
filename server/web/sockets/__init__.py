"""These modules carry what goes over WebSockets: stations' lines, sound, heartbeats and backups."""
