"""Tournaments, pure: who meets whom on which board, and what the results say. No clock, no database, no network."""
