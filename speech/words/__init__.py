"""Languages, announcing schemes, grammars and messages from the configuration."""
