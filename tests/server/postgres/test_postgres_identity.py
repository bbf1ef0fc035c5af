"""Whom PostgreSQL runs as, and the locks and messages that tell the living from the dead."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest

from skyjo_server.postgres import AccountUnusable, EmbeddedPostgres, EmbeddedPostgresError, database_url
from skyjo_server.postgres import errors as error_module
from skyjo_server.postgres.channel import Message, News
from skyjo_server.postgres.errors import error_named
from skyjo_server.postgres.identity import USER_VARIABLE, Account, can_reach, choose_account
from skyjo_server.postgres.locks import held, try_lock
from tests.server.postgres.users import LONGEST_SECONDS, value_of

KINDS = [kind for kind in vars(error_module).values() if isinstance(kind, type) and issubclass(kind, Exception)]


@pytest.mark.usefixtures("as_ordinary_user")
def test_an_ordinary_user_runs_postgresql_as_itself(tmp_path: Path) -> None:
    assert choose_account(tmp_path / "cluster").uid == os.geteuid()


@pytest.mark.usefixtures("as_root")
def test_root_hands_postgresql_to_an_account_with_an_entry(tmp_path: Path) -> None:
    account = choose_account(tmp_path / "cluster")
    assert account.uid != 0
    assert pwd.getpwuid(account.uid).pw_name == account.name


@pytest.mark.usefixtures("as_root")
def test_root_may_name_the_account(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(USER_VARIABLE, "nobody")
    with EmbeddedPostgres(data_dir) as server:
        assert value_of(server.dsn, "SELECT 1") == 1
    assert (data_dir / "cluster").stat().st_uid == pwd.getpwnam("nobody").pw_uid
    monkeypatch.setenv(USER_VARIABLE, "daemon")
    assert choose_account(data_dir / "cluster").name == "nobody"  # the data stay with their owner


@pytest.mark.usefixtures("as_root")
@pytest.mark.parametrize(("name", "reason"), [("no-such-account", "no account no-such-account"), ("root", "is user 0")])
def test_an_account_that_will_not_do_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, reason: str
) -> None:
    monkeypatch.setenv(USER_VARIABLE, name)
    with pytest.raises(AccountUnusable, match=f"{reason}.*SKYJO_POSTGRES_USER"):
        choose_account(tmp_path / "cluster")


@pytest.mark.usefixtures("as_root")
def test_a_user_without_an_entry_is_told_what_to_do(open_dir: Path) -> None:
    program = (
        "import os, sys; from pathlib import Path; from skyjo_server.postgres.identity import choose_account\n"
        f"os.setuid(54321); choose_account(Path({str(open_dir)!r}) / 'cluster')"
    )
    tried = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "AccountUnusable: User 54321 has no entry in the password database" in tried.stderr


@pytest.mark.usefixtures("as_ordinary_user")
def test_becoming_another_account_without_the_right_is_told(tmp_path: Path) -> None:
    with pytest.raises(AccountUnusable, match="may not become daemon"):
        can_reach(Account("daemon", 1, 1, (1,)), tmp_path)


@pytest.mark.parametrize(
    ("value", "url"),
    [
        (None, None),
        ("", None),
        ("  ", None),
        ("postgresql://db.example/skyjo", "postgresql://db.example/skyjo"),
        (" host=/run dbname=skyjo\n", "host=/run dbname=skyjo"),
    ],
)
def test_the_environment_may_name_a_database_of_ones_own(
    monkeypatch: pytest.MonkeyPatch, value: str | None, url: str | None
) -> None:
    monkeypatch.delenv("SKYJO_DATABASE_URL", raising=False)
    if value is not None:
        monkeypatch.setenv("SKYJO_DATABASE_URL", value)
    assert database_url() == url


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_reaches_a_user_as_what_it_is(kind: type[EmbeddedPostgresError]) -> None:
    error = kind("It is broken", "Mend it.")
    message = Message.decode(Message.failed(error).encode())
    assert message.news is News.FAILED
    again = error_named(message.error, message.problem, message.way_out)
    assert type(again) is kind
    assert str(again) == str(error) == "It is broken. Mend it."


def test_a_lock_is_held_by_one_and_free_when_its_process_ends(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    program = (
        "import sys; from pathlib import Path; from skyjo_server.postgres.locks import try_lock\n"
        f"print(try_lock(Path({str(path)!r})) is not None, flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "True\n"
        assert try_lock(path) is None
        with pytest.raises(TimeoutError), held(path, 0):
            pass
        holder.kill()
        holder.wait(LONGEST_SECONDS)
    with held(path, 0):
        assert try_lock(path) is None
    descriptor = try_lock(path)
    assert descriptor is not None
    os.close(descriptor)
