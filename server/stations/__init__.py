"""The stations that are not a browser: microphone, headset, buttons, braille."""
