"""Runs the service for a test, as `skyjo server run` does on a database of one's own; adds only an end of its own.

Called with the connection string and the port; everything else it reads from the environment, as the workers do.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

from skyjo_server.app import serve
from skyjo_server.settings import Settings


def end_with_the_test() -> None:
    """Kill this process and its workers when nobody holds the other end of standard input any more."""
    while os.read(0, 1):
        pass
    os.killpg(os.getpgrp(), signal.SIGKILL)


if __name__ == "__main__":
    threading.Thread(target=end_with_the_test, daemon=True).start()
    serve(Settings.from_environment(), sys.argv[1], "127.0.0.1", int(sys.argv[2]))
