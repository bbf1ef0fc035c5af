"""The account that PostgreSQL runs as, and starting programs as it; it neither makes nor changes accounts.

PostgreSQL refuses to run as root, and `initdb` wants an account with an entry in the password database. An ordinary
user runs it as itself. Root hands it to the account that owns the data already, else to `SKYJO_POSTGRES_USER`, else to
`postgres`, which a machine with PostgreSQL on it has, else to `nobody`, which every machine has. No account is made:
that would change the machine for good, and `useradd` is not everywhere. Other programs may run as `nobody` too, so give
a shared machine a `postgres` account.
"""

from __future__ import annotations

import ctypes
import functools
import os
import pwd
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skyjo_server.postgres.errors import AccountUnusable, DataDirectoryRefused

USER_VARIABLE: Final = "SKYJO_POSTGRES_USER"
_FALLBACKS: Final = ("postgres", "nobody")
_HANDED_ON: Final = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR")
"""What of our environment PostgreSQL gets: PG* variables would steer it, and secrets are none of its business."""
_PR_SET_PDEATHSIG: Final = 1
_REACHED, _MISSED, _NOT_BECOME = range(3)


@dataclass(frozen=True, slots=True)
class Account:
    """An entry of the password database; `groups` are all its groups."""

    name: str
    uid: int
    gid: int
    groups: tuple[int, ...]

    @property
    def is_us(self) -> bool:
        """Whether this process runs as the account already."""
        return self.uid == os.geteuid()


def choose_account(cluster: Path) -> Account:
    """Choose the account that PostgreSQL runs as.

    Raises:
        AccountUnusable: if there is none.
        DataDirectoryRefused: if the cluster belongs to somebody whom we cannot become.
    """
    owner = cluster.lstat().st_uid if cluster.exists() else None
    if os.geteuid() != 0:
        return _own_account(cluster, owner)
    if owner is not None:
        return _account_of(owner)
    return _account_for_root()


def _own_account(cluster: Path, owner: int | None) -> Account:
    if owner not in (None, os.geteuid()):
        raise DataDirectoryRefused(
            f"{cluster} belongs to user {owner}, and this process is user {os.geteuid()}",
            "Run as its owner, or name another data directory.",
        )
    return _account_of(os.geteuid())


def _account_of(uid: int) -> Account:
    try:
        return _from_entry(pwd.getpwuid(uid))
    except KeyError as error:
        raise AccountUnusable(
            f"User {uid} has no entry in the password database, and PostgreSQL's initdb needs one",
            "Run as a user who has one (in a container, add a line to /etc/passwd), or set SKYJO_DATABASE_URL.",
        ) from error


def _account_for_root() -> Account:
    wanted = os.environ.get(USER_VARIABLE)
    for name in (wanted,) if wanted else _FALLBACKS:
        try:
            return _from_entry(pwd.getpwnam(name))
        except KeyError:
            continue
    raise AccountUnusable(
        f"PostgreSQL does not run as root, and there is no account {wanted or ' or '.join(_FALLBACKS)}",
        f"Set {USER_VARIABLE} to an account that exists, or run as an ordinary user.",
    )


def _from_entry(entry: pwd.struct_passwd) -> Account:
    if entry.pw_uid == 0:
        raise AccountUnusable(
            f"PostgreSQL does not run as root, and {entry.pw_name} is user 0",
            f"Set {USER_VARIABLE} to an ordinary account, or run as an ordinary user.",
        )
    groups = os.getgrouplist(entry.pw_name, entry.pw_gid)
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid, tuple(groups))


def launch(
    account: Account,
    command: Sequence[str | Path],
    *,
    output: int,
    stdin: int = subprocess.DEVNULL,
    keep: Sequence[int] = (),
    death_signal: signal.Signals = signal.SIGKILL,
) -> subprocess.Popen[bytes]:
    """Start a program as the account, to be sent `death_signal` by the kernel when the calling thread ends.

    Call it from the main thread of a process without other threads: the kernel ties the signal to the thread that
    forked. Where the kernel has no such thing (macOS), a later supervisor ends what this one left.

    Args:
        account: who runs it.
        command: program and arguments.
        output: descriptor for its standard output and error.
        stdin: descriptor for its standard input.
        keep: descriptors that it inherits.
        death_signal: what the kernel sends it when we end.
    """
    before_exec = functools.partial(_die_with, os.getpid(), death_signal) if _prctl else None
    switch = not account.is_us
    return subprocess.Popen(
        command,
        cwd="/",
        env=_environment(),
        stdin=stdin,
        stdout=output,
        stderr=output,
        pass_fds=keep,
        user=account.uid if switch else None,
        group=account.gid if switch else None,
        extra_groups=account.groups if switch else None,
        preexec_fn=before_exec,  # noqa: PLW1509 - one thread only, and prctl must follow the change of user
    )


def _environment() -> Mapping[str, str]:
    ours = {name: os.environ[name] for name in _HANDED_ON if name in os.environ}
    return {"PATH": os.defpath, **ours, "LC_ALL": "C", "TZ": "UTC"}


def _load_prctl() -> Callable[[int, int], int] | None:
    if sys.platform != "linux":
        return None
    return ctypes.CDLL(None, use_errno=True).prctl


_prctl = _load_prctl()
"""Loaded before any fork: a child between fork and exec should do as little as it can."""


def _die_with(parent: int, death_signal: signal.Signals) -> None:
    """Ask for the signal, in the child; a change of user clears it (prctl(2)), so this comes after that."""
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, death_signal)
    if os.getppid() != parent:  # it ended before we asked
        os._exit(1)


def can_reach(account: Account, path: Path) -> bool:
    """Say whether the account can look at a path, by trying it in a child process.

    Raises:
        AccountUnusable: if we may not become that account at all.
    """
    child = os.fork()
    if child == 0:
        os._exit(_try_to_reach(account, path))
    answer = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if answer == _NOT_BECOME:
        raise AccountUnusable(
            f"PostgreSQL does not run as root, and this process may not become {account.name}",
            "Run as an ordinary user (in a container: USER), or allow CAP_SETUID and CAP_SETGID.",
        )
    return answer == _REACHED


def _try_to_reach(account: Account, path: Path) -> int:
    try:
        become(account)
    except OSError:
        return _NOT_BECOME
    try:
        path.stat()
    except OSError:
        return _MISSED
    return _REACHED


def become(account: Account) -> None:
    """Turn this process into the account for good; nothing happens if it is the account already."""
    if account.is_us:
        return
    os.setgroups(account.groups)
    os.setgid(account.gid)
    os.setuid(account.uid)
