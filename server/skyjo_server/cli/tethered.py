"""The command line as a process that outlives nobody: it ends, as if by SIGTERM, when whoever started it is gone.

Whoever starts it keeps the other end of its standard input open, and writes nothing there. The system closes that end
when its holder ends, however it ends.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

from skyjo_server.cli.main import main


def _end_with_the_other_end() -> None:
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    threading.Thread(target=_end_with_the_other_end, name="tether", daemon=True).start()
    main()
