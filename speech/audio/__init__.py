"""Sound in and out: WAV, FLAC, frames on the wire, devices."""
