"""Bots to begin with: read one, copy it, make it better."""
