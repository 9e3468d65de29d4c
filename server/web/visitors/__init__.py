"""What any device may ask of the server without a code, by voice too: training, and the spectators' page by voice."""
