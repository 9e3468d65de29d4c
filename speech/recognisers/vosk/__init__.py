"""This package is the recogniser that rests on Vosk."""
