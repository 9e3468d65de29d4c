"""The recogniser that rests on Vosk."""
