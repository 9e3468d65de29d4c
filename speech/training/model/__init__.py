"""Our own small Appendix D model for Vosk, made by `make model`.

It is never imported by the running program.
"""
