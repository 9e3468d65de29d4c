"""Users can add Vosk models: copied safely, checked in a child process, kept in the data folder."""
