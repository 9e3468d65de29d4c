"""Everything that is settled before play: the table, its stations, its sound."""
