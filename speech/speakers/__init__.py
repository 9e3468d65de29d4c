"""Speakers: finding out whose voice it is."""
