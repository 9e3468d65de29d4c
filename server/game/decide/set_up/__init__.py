"""This folder settles what comes before play: the table, its stations, its sound."""
