"""The process that keeps the server of one data directory for its users: begun by the first, ended after the last.

It is no part of any user: it has a session of its own, so that a Ctrl-C meant for a user does not stop the others'
database, and init for its parent. It has one thread, since the kernel ties a child's parent-death signal to the thread.
"""

from __future__ import annotations

import contextlib
import os
import select
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from skyjo_server.postgres.channel import Message, News
from skyjo_server.postgres.errors import DataDirectoryBusy, EmbeddedPostgresError
from skyjo_server.postgres.home import Home
from skyjo_server.postgres.identity import choose_account
from skyjo_server.postgres.keeper import Keeper, note
from skyjo_server.postgres.locks import POLL_SECONDS, try_lock
from skyjo_server.postgres.log import rotate_log
from skyjo_server.postgres.runtime import Runtime, make_runtime, remove_runtime

TAKEOVER_SECONDS: Final = 60.0
"""How long to wait for an earlier supervisor to end; stopping a server cleanly takes it 40 seconds at most."""


class Supervisor:
    """Serves the users of one data directory.

    Args:
        home: the data directory.
        keeper: keeps their server running.
        listener: socket at which further users come in.
        first: connection to the user who started this process.
    """

    def __init__(self, home: Home, keeper: Keeper, listener: socket.socket, first: socket.socket) -> None:
        self._home, self._keeper, self._listener = home, keeper, listener
        self._selector = selectors.DefaultSelector()
        self._users: list[socket.socket] = []
        self._told: set[socket.socket] = set()
        self._leaving: list[socket.socket] = []
        self._told_to_stop = False
        self._watch(listener, self._welcome)
        self._watch(_wakeups(self._stop_on_request), self._drain)
        self._admit(first)

    def serve(self) -> None:
        """Serve until the last user has gone, a signal says to stop, or the server cannot be started; then stop it."""
        try:
            while self._users and not self._told_to_stop:
                self._keeper.tend()
                self._spread_news()
                self._wait()
        except EmbeddedPostgresError as error:
            self._give_up(error)
        finally:
            # No new user from here on: one who comes too late finds nobody, and starts another supervisor.
            self._listener.close()
            self._keeper.stop()

    @property
    def has_users(self) -> bool:
        """Whether somebody still needs the server."""
        return bool(self._users)

    def _give_up(self, error: EmbeddedPostgresError) -> None:
        note(str(error))
        for user in self._users:
            _tell(user, Message.failed(error))

    def _wait(self) -> None:
        with contextlib.suppress(OSError):  # a full disk has no room for the old log either
            rotate_log(self._home)
        for key, _ in self._selector.select(self._keeper.pause_seconds()):
            key.data(key.fileobj)

    def _spread_news(self) -> None:
        if not self._keeper.is_ready:
            self._told.clear()  # when it is ready again, it is news again
            return
        for user in self._users:
            if user not in self._told:
                self._told.add(user)
                _tell(user, Message(News.READY))

    def _watch(self, source: socket.socket, react: Callable[[socket.socket], None]) -> None:
        self._selector.register(source, selectors.EVENT_READ, react)

    def _welcome(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):  # it has gone again
            self._admit(listener.accept()[0])

    def _admit(self, user: socket.socket) -> None:
        user.setblocking(False)
        self._users.append(user)
        self._watch(user, self._listen_to)
        _tell(user, Message(News.HELLO))

    def _listen_to(self, user: socket.socket) -> None:
        # Users say nothing; what can be read is the end.
        with contextlib.suppress(OSError):
            if user.recv(4096):
                return
        self._selector.unregister(user)
        self._users.remove(user)
        self._told.discard(user)
        if self._users:
            user.close()
        else:
            self._leaving.append(user)  # kept open: the last one waits for the server's end, and so for ours

    def _drain(self, wakeups: socket.socket) -> None:
        wakeups.recv(4096)

    def _stop_on_request(self) -> None:
        self._told_to_stop = True


def _tell(user: socket.socket, message: Message) -> None:
    with contextlib.suppress(OSError):  # it has gone, which its end of the connection will tell
        user.sendall(message.encode())


def _wakeups(stop: Callable[[], None]) -> socket.socket:
    """Turn signals into something to select on: the end of a child, and requests to stop."""
    receiver, sender = socket.socketpair()
    receiver.setblocking(False)
    sender.setblocking(False)
    signal.set_wakeup_fd(sender.detach(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for request in (signal.SIGTERM, signal.SIGINT):
        signal.signal(request, lambda *_: stop())
    return receiver


def main(data_dir: str, first_user: str) -> None:
    """Run the supervisor of a data directory.

    Args:
        data_dir: the data directory, prepared.
        first_user: number of the inherited descriptor of the connection to the user who starts it.
    """
    first = socket.socket(fileno=int(first_user))
    first.set_inheritable(False)
    if os.fork():
        os._exit(0)  # the child is init's from now on, and no zombie of the user's
    os.chdir("/")
    os.umask(0o022)  # modes are chosen file by file
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    home = Home(Path(data_dir))
    try:
        lock = take_over(home, first, TAKEOVER_SECONDS)
        if lock is not None:
            _supervise(home, first)
            _let_go(lock)
    except EmbeddedPostgresError as error:
        note(str(error))
        _tell(first, Message.failed(error))


def _let_go(lock: int) -> None:
    """Close what is in the data directory before the last user sees us end: it may want to remove or unmount that."""
    with Path(os.devnull).open("r+b", buffering=0) as nothing:
        os.dup2(nothing.fileno(), sys.stdout.fileno())
        os.dup2(nothing.fileno(), sys.stderr.fileno())
    os.close(lock)


def _supervise(home: Home, first: socket.socket) -> None:
    account = choose_account(home.cluster)
    runtime = make_runtime(home, account)
    supervisor = Supervisor(home, Keeper(home, account, runtime), _listen(runtime), first)
    supervisor.serve()
    if not supervisor.has_users:  # else it comes back for them, at the same place
        remove_runtime(home)


def take_over(home: Home, first: socket.socket, timeout_seconds: float) -> int | None:
    """Become the one supervisor of a data directory, after an earlier one.

    Args:
        home: the data directory.
        first: connection to the user who waits for it.
        timeout_seconds: how long the earlier one may take to end.

    Returns:
        The lock that says so, held until it is closed or this process ends; None if the user has gone meanwhile.

    Raises:
        DataDirectoryBusy: if the earlier one does not end.
    """
    deadline = time.monotonic() + timeout_seconds
    while (lock := try_lock(home.supervisor_lock)) is None:
        if select.select([first], [], [], POLL_SECONDS)[0]:
            return None
        if time.monotonic() > deadline:
            raise DataDirectoryBusy(
                f"Another process keeps the server of {home.path}, and its sockets cannot be seen from here",
                "Start from where the other one runs (same container, same /tmp), or name another data directory.",
            )
    return lock


def _listen(runtime: Runtime) -> socket.socket:
    runtime.control.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.setblocking(False)
    mask = os.umask(0o177)
    try:
        listener.bind(str(runtime.control))
    finally:
        os.umask(mask)
    listener.listen(128)
    return listener


if __name__ == "__main__":
    main(*sys.argv[1:])
