"""The command `skyjo`: everything a person or a script does from a terminal. One module a command; none has rules."""

from skyjo_server.cli.main import main

__all__ = ["main"]
