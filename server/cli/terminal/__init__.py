"""What every command shares at the terminal: the user's language, the words of help and answers, and click's own."""
