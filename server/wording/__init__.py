"""These modules put messages, refusals and alerts into a language, and turn typed words into acts."""
