"""This package makes our own small Appendix D model for Vosk: `make model`.

It is never imported by the running program.
"""
