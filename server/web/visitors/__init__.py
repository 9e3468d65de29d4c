"""Pages for any device without a code, by voice too: training, and the spectators' page by voice."""
