"""Skyjo Arena service."""
