"""What sits at a table besides a browser: microphone, headset, buttons, braille display."""
