"""The house's door to browsers: HTTP and WebSocket adapters, access, and the pages. Nothing here knows the rules."""
