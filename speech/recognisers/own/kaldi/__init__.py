"""The files of a Kaldi model as Vosk reads them, written byte by byte: networks, transition models, word graphs."""
