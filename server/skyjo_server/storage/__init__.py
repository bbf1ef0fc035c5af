"""Games, bots and the log in PostgreSQL: SQLAlchemy off the path of a move, psycopg on it. Decides nothing."""
