"""What the pages ask for over HTTP, one file a subject."""
