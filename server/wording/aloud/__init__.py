"""Words of each message in a private ear, one file a subject: `@says(msg.X)`."""
