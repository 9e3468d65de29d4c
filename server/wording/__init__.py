"""Messages, refusals and alerts put into a language, and typed words turned into acts."""
