"""The processes of a demo: an embedded PostgreSQL, the service, the bots. Starts them, keeps them alive, ends them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Self

import httpx

from skyjo_server.app import migrate_database, open_service
from skyjo_server.cli.output import CommandFailed
from skyjo_server.postgres import EmbeddedPostgres
from skyjo_server.service.model import Scope
from skyjo_server.settings import Settings

HOST: Final = "127.0.0.1"

_LOOK_SECONDS: Final = 0.1
_READY_SECONDS: Final = 60.0
_END_SECONDS: Final = 15.0
_RESTARTS: Final = 20


class Kept:
    """A process that is started again whenever it ends before it is told to. It ends with this one, even by kill -9.

    Args:
        command: arguments of `skyjo`.
        log: where its output goes.
        environment: variables on top of this process's own.
        until_done: whether it is left alone once it has ended well.
    """

    def __init__(
        self, command: list[str], log: Path, environment: Mapping[str, str], *, until_done: bool = False
    ) -> None:
        self._command = [sys.executable, "-m", "skyjo_server.cli.tethered", *command]
        self._log = log
        self._environment = {**os.environ, **environment}
        self._until_done = until_done
        self._ending = threading.Event()
        self._lock = threading.Lock()
        self._process = self._start()
        self.restarts = 0
        self._keeper = threading.Thread(target=self._keep, daemon=True)
        self._keeper.start()

    @property
    def given_up(self) -> bool:
        """Whether it has ended too often to be started again."""
        return self.restarts >= _RESTARTS

    def end(self) -> None:
        """Tell the process to end, and wait until it has."""
        self._ending.set()
        with self._lock:
            process = self._process
        with process:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            try:
                process.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
        self._keeper.join()

    def _start(self) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(self._command, env=self._environment, stdin=subprocess.PIPE, stdout=log, stderr=log)

    def _keep(self) -> None:
        while not self._ending.is_set():
            with self._process as process:  # closes its end of the tether afterwards
                code = process.wait()
            with self._lock:
                if self._ending.is_set() or self.given_up or (self._until_done and code == 0):
                    return
                self.restarts += 1
                self._process = self._start()


class House:
    """The service on a database of the demo's own, and the bots that play there; a context manager.

    Args:
        home: the demo's folder.
        port: the service's port; 0 = any that is free.
    """

    def __init__(self, home: Path, port: int) -> None:
        self._home = home
        self._port = port or _free_port()
        self._kept: list[Kept] = []
        self._stack = ExitStack()
        self.organiser_token = ""

    @property
    def url(self) -> str:
        """The service's address."""
        return f"http://{HOST}:{self._port}"

    @property
    def database_dir(self) -> Path:
        """Where the embedded PostgreSQL keeps its data."""
        return self._home / "postgres"

    def __enter__(self) -> Self:
        try:
            self._open()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *_exception: object) -> None:
        self._stack.close()

    def add_bot(self, bot: str, token: str, tournament: str, log: str) -> None:
        """Run a bot in a tournament as a process of its own, through the SDK, over HTTP."""
        command = ["play", bot, "--url", self.url, "--tournament", tournament, "--json"]
        self._keep(Kept(command, self._home / log, {"SKYJO_TOKEN": token}, until_done=True))

    def check(self) -> None:
        """Raises CommandFailed when a process ends again and again."""
        if any(kept.given_up for kept in self._kept):
            raise CommandFailed("a process of the demo ends again and again", f"see the logs in {self._home}")

    def _open(self) -> None:
        self._home.mkdir(parents=True, exist_ok=True)
        os.environ.setdefault("SKYJO_PEPPER_FILE", str(self._home / "pepper"))
        os.environ.pop("SKYJO_DATABASE_URL", None)  # the demo never touches a database that is not its own
        settings = Settings.from_environment()
        postgres = self._stack.enter_context(EmbeddedPostgres(self.database_dir))
        migrate_database(settings, postgres.dsn)
        self.organiser_token = _organiser_token(settings, postgres.dsn)
        command = ["server", "run", "--host", HOST, "--port", str(self._port), "--data-dir", str(self.database_dir)]
        self._keep(Kept(command, self._home / "service.log", {}))
        self._wait_until_ready()

    def _keep(self, kept: Kept) -> None:
        self._kept.append(kept)
        self._stack.callback(kept.end)

    def _wait_until_ready(self) -> None:
        give_up = time.monotonic() + _READY_SECONDS
        while time.monotonic() < give_up:
            self.check()
            try:
                if httpx.get(f"{self.url}/readyz").is_success:
                    return
            except httpx.TransportError:
                pass
            time.sleep(_LOOK_SECONDS)
        raise CommandFailed("the service did not become ready", f"see {self._home / 'service.log'}")


def _organiser_token(settings: Settings, conninfo: str) -> str:
    service = open_service(settings, conninfo)
    try:
        return service.arena.grant_token(Scope.ORGANISER).secret
    finally:
        service.close()


def _free_port() -> int:
    with socket.create_server((HOST, 0)) as listener:
        port: int = listener.getsockname()[1]
    return port
