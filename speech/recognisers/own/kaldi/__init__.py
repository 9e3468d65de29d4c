"""This package writes the files of a Kaldi model as Vosk reads them, byte by byte.

They are networks, transition models and word graphs.
"""
