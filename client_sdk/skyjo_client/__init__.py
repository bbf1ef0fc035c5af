"""Skyjo Arena client SDK."""
