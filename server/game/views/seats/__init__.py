"""What the stations of a seat are told of each event, one file a subject: `@shown(ev.X)`."""
