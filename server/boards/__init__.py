"""Sensing boards report what was lifted and placed as neutral events; drivers make these events."""
