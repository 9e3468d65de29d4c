"""Models of the ears that users fetch or add: copied safely, looked at, and kept in the data folder."""
