"""A process of bots that play through the SDK, a thread each, until they are told to stop. It measures nothing.

Called with the service's address and the bots' tokens; ends when its standard input does.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final

from skyjo.bots import HOUSE_BOTS
from skyjo.shuffle import WordStream
from skyjo_client import run_bot

CHOOSES: Final = "threshold"
"""What the bots of this process play like: cheap, so that the load is the service's."""

_STOP_SECONDS: Final = 60.0


@contextmanager
def at_play(url: str, tokens: Sequence[str], processes: int) -> Iterator[tuple[int, ...]]:
    """Let bots play in processes of their own for as long as this lasts; gives the processes' ids."""
    shares = [tokens[number::processes] for number in range(processes)]
    started = [
        subprocess.Popen([sys.executable, "-m", __name__, url, *share], stdin=subprocess.PIPE) for share in shares
    ]
    try:
        yield tuple(process.pid for process in started)
    finally:
        for process in started:
            assert process.stdin is not None
            process.stdin.close()
        for process in started:
            process.wait(_STOP_SECONDS)


def main(url: str, tokens: Sequence[str]) -> None:
    """Play."""
    stop = threading.Event()
    with ThreadPoolExecutor(len(tokens)) as pool:
        runs = [pool.submit(_play, url, token, number, stop) for number, token in enumerate(tokens)]
        sys.stdin.buffer.read()
        stop.set()
        for run in runs:
            run.result()


def _play(url: str, token: str, number: int, stop: threading.Event) -> None:
    bot = HOUSE_BOTS[CHOOSES](WordStream(bytes(32), b"benchmark" + number.to_bytes(2, "big")))
    run_bot(bot.choose, url, token, stop=stop, on_event=lambda _: None)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
