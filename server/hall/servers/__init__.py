"""This room has what the servers of one hall must settle among themselves, where its record lies on PostgreSQL."""
