"""Parts that every command shares at the terminal: the user's language, words of help and answers, and click's own."""
