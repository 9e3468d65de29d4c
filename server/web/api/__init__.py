"""These modules answer what the pages ask for over HTTP, one file for each subject."""
