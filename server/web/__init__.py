"""HTTP and WebSocket adapters, access, and the pages."""
