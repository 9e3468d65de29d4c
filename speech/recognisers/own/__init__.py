"""This package is our own small model for Vosk, shipped with the program.

It holds its words, its strict grammars and its process.
"""
