"""The drivers of sensing boards: serial, LiveChess, the bridge and the line protocol."""
