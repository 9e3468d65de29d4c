"""Our own small model for Vosk, shipped with the program.

Its words, its strict grammars and its process are here.
"""
