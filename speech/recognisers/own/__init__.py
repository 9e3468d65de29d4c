"""Our own small model for Vosk, shipped with the program: its words, its strict grammars, its process."""
