"""Messages to the stations of a seat on each event, one file a subject: `@shown(ev.X)`."""
