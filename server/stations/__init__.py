"""These modules are the stations that are not a browser: microphone, headset, buttons, braille."""
