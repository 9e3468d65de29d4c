"""Agreement between the servers of one hall, where its record lies on PostgreSQL."""
