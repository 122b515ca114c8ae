"""The log and everything else that lasts: SQLite by default, PostgreSQL by URL."""
