"""Vosk models that the user adds: copied safely, checked in a child process, kept in the data folder."""
