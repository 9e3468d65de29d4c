"""What each message says into a private ear, one file a subject: `@says(msg.X)`."""
