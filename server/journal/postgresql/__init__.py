"""The record of a hall on PostgreSQL; it needs psycopg, which is installed with `[postgresql]`."""
