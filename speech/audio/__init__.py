"""This package takes sound in and gives it out: WAV, FLAC, frames on the wire, devices."""
