"""Models of the ears: our own lies here, and those of Whisper are named, found and compared with their hashes."""
