"""How our own small Appendix D model for Vosk is made: `make model`. Never imported by the running program."""
