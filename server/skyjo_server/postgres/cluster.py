"""One PostgreSQL cluster: what its server needs to start, made the first time. It starts no server."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from skyjo_server.postgres.binaries import Binaries, find_binaries, readable_for
from skyjo_server.postgres.errors import DataDirectoryRefused, InitialisationFailed
from skyjo_server.postgres.home import Home, ensure_password, read_password, sync_directory, sync_file_system
from skyjo_server.postgres.identity import Account, can_reach, launch
from skyjo_server.postgres.runtime import Runtime

DATABASE: Final = "skyjo"
OWNER: Final = "skyjo"
"""The role that owns the database; no superuser."""
SUPERUSER: Final = "postgres"


@dataclass(frozen=True, slots=True)
class Cluster:
    """All that the server needs to start."""

    home: Home
    runtime: Runtime
    account: Account
    binaries: Binaries


def open_cluster(home: Home, account: Account, runtime: Runtime, lock: int) -> Cluster:
    """Find the programs, and make the cluster if there is none yet.

    Args:
        home: the data directory.
        account: who owns the cluster and runs its programs.
        runtime: where its sockets go.
        lock: descriptor of the cluster's lock, handed on to the programs that make it.

    Raises:
        EmbeddedPostgresError: with the way out, if that cannot be done.
    """
    _check_data(home)
    binaries = readable_for(account, find_binaries(_major_of(home.cluster)), home)
    cluster = Cluster(home, runtime, account, binaries)
    if not home.cluster.exists():
        _initialise(cluster, ensure_password(home), lock)
    return cluster


def _check_data(home: Home) -> None:
    if not home.cluster.exists():
        return
    read_password(home)
    mode = stat.S_IMODE(home.cluster.stat().st_mode)
    if mode & 0o077:
        raise DataDirectoryRefused(
            f"Others may read {home.cluster} (mode {mode:04o})", f"Close it with `chmod 0700 {home.cluster}`."
        )


def _major_of(cluster: Path) -> int | None:
    if not cluster.exists():
        return None
    try:
        return int((cluster / "PG_VERSION").read_text(encoding="ascii"))
    except (OSError, ValueError) as error:
        raise DataDirectoryRefused(
            f"{cluster} is damaged: its PG_VERSION cannot be read", "Put it back from a backup, or move it aside."
        ) from error


def _initialise(cluster: Cluster, password: str, lock: int) -> None:
    """Make the cluster aside and rename it, so that a crash leaves a whole one or none."""
    home = cluster.home
    shutil.rmtree(home.partial, ignore_errors=True)
    home.partial.mkdir(0o700)
    if not cluster.account.is_us:
        os.chown(home.partial, cluster.account.uid, cluster.account.gid)
    with directory_argument(cluster, home.partial) as (directory, handed):
        keep = [lock, *handed]
        with _password_file(cluster, password) as password_file:
            _run_to_end(cluster, _initdb(directory, password_file), keep)
        _run_to_end(cluster, _single_user(directory), keep, _first_statements(password))
    sync_file_system(home.partial)
    home.partial.rename(home.cluster)
    sync_directory(home.path)


def _initdb(directory: str, password_file: Path) -> list[str]:
    return [
        "initdb",
        f"--pgdata={directory}",
        f"--username={SUPERUSER}",
        f"--pwfile={password_file}",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--data-checksums",
        "--no-instructions",
        "--no-sync",  # one flush for all its thousand files follows
    ]


def _single_user(directory: str) -> list[str]:
    options = ["-c", "exit_on_error=on", "-c", "fsync=off", "-c", "log_checkpoints=off"]
    return ["postgres", "--single", "-D", directory, *options, SUPERUSER]


def _first_statements(password: str) -> str:
    # One password, two roles: what the application runs as cannot read files or start programs on the machine.
    return (
        f"CREATE ROLE {OWNER} LOGIN CREATEDB PASSWORD '{password}';\n"
        f"CREATE DATABASE {DATABASE} OWNER {OWNER} ENCODING UTF8;\n"
    )


def _run_to_end(cluster: Cluster, command: list[str], keep: list[int], statements: str = "") -> None:
    with tempfile.TemporaryFile() as output, _as_stdin(statements) as stdin:
        program = [str(cluster.binaries.bin / command[0]), *command[1:]]
        process = launch(cluster.account, program, output=output.fileno(), stdin=stdin.fileno(), keep=keep)
        if process.wait() == 0:
            return
        output.seek(0)
        said = output.read().decode("utf-8", "replace").strip()
    raise InitialisationFailed(
        f"{command[0]} of PostgreSQL {cluster.binaries.version} failed (exit code {process.returncode})",
        f"It said:\n{said}\nOnce that is put right, just start again.",
    )


@contextlib.contextmanager
def _as_stdin(text: str) -> Iterator[IO[bytes]]:
    with tempfile.TemporaryFile() as file:
        file.write(text.encode())
        file.seek(0)
        yield file


@contextlib.contextmanager
def _password_file(cluster: Cluster, password: str) -> Iterator[Path]:
    """Lay the password where initdb can read it and nobody else can, for as long as initdb runs."""
    path = cluster.runtime.db / "first-password"
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(password + "\n")
        if not cluster.account.is_us:
            os.fchown(file.fileno(), cluster.account.uid, cluster.account.gid)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def directory_argument(cluster: Cluster, directory: Path) -> Iterator[tuple[str, list[int]]]:
    """Give a name for a directory that works for the account, and the descriptors to hand on with it.

    Root may keep data where the account cannot walk, such as below its own home. Rather than open the directories above
    to everybody, hand the directory itself over as an open descriptor: a path that begins there passes no other one.
    """
    if can_reach(cluster.account, directory):
        yield str(directory), []
        return
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{descriptor}", [descriptor]
    finally:
        os.close(descriptor)
