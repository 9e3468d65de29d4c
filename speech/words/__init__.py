"""This package reads languages, announcing schemes, grammars and messages from the configuration."""
