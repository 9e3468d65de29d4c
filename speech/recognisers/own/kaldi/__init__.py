"""The files of a Kaldi model, written byte by byte as Vosk reads them.

Networks, transition models and word graphs.
"""
