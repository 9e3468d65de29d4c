"""What is settled before play: the table, its stations, its sound."""
