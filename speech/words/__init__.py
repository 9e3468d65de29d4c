"""Languages, announcing schemes, grammars and messages, read from the configuration."""
