"""The rule of each act: a command and the state become events, or a refusal."""
