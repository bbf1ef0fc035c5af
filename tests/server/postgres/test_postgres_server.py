"""What the embedded server is like once it runs: private, durable, and reached in one way only."""

from __future__ import annotations

import contextlib
import os
import pwd
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import sqlalchemy
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from skyjo_server.postgres import EmbeddedPostgres, NotReady
from skyjo_server.postgres.identity import choose_account
from tests.server.postgres.users import SOCKET, postmaster_of, server_of, value_of, was_shut_down_cleanly


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    """One server for the tests that only look at it."""
    with EmbeddedPostgres(tmp_path_factory.mktemp("server") / "data") as server:
        yield server


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def socket_dir(server: EmbeddedPostgres) -> Path:
    return Path(str(conninfo_to_dict(server.dsn)["host"]))


@pytest.mark.usefixtures("each_binaries")
def test_a_server_starts_from_nothing_keeps_its_data_and_leaves_nothing_running(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as server:
        with psycopg.connect(server.dsn) as connection:
            connection.execute("CREATE TABLE kept (card integer)")
            connection.execute("INSERT INTO kept VALUES (-2)")
        processes = server_of(data_dir)
    assert [pid for pid in processes if Path(f"/proc/{pid}").exists()] == []
    assert was_shut_down_cleanly(data_dir)
    assert not (data_dir / "run").exists()
    with EmbeddedPostgres(data_dir) as server:
        assert value_of(server.dsn, "SELECT card FROM kept") == -2


@pytest.mark.usefixtures("each_binaries")
@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("listen_addresses", ""),
        ("data_checksums", "on"),
        ("password_encryption", "scram-sha-256"),
        ("unix_socket_permissions", "0700"),
        ("fsync", "on"),
        ("full_page_writes", "on"),
        ("synchronous_commit", "on"),
        ("server_encoding", "UTF8"),
        ("TimeZone", "UTC"),
        ("shared_buffers", "128MB"),
        ("max_connections", "100"),
    ],
)
def test_the_server_is_set_up_for_keeping_games_in_private(server: EmbeddedPostgres, setting: str, value: str) -> None:
    assert value_of(server.superuser_dsn, f"SHOW {setting}") == value


def test_text_sorts_by_code_point_whatever_the_machine_speaks(server: EmbeddedPostgres) -> None:
    query = "SELECT datcollate || datctype FROM pg_database WHERE datname = current_database()"
    assert value_of(server.dsn, query) == "CC"


def open_files_of(pid: int) -> Iterator[str]:
    with contextlib.suppress(FileNotFoundError):  # the process has ended meanwhile
        for link in Path(f"/proc/{pid}/fd").iterdir():
            yield str(link.readlink())


def test_the_server_opens_no_port(server: EmbeddedPostgres) -> None:
    pids = server_of(server.data_dir)
    inodes = {name for pid in pids for name in open_files_of(pid) if name.startswith("socket:")}
    tables = [Path(f"/proc/net/{name}") for name in ("tcp", "tcp6", "udp", "udp6")]
    rows = [line.split() for table in tables if table.exists() for line in table.read_text().splitlines()[1:]]
    listening = {f"socket:[{row[9]}]" for row in rows if row[3] == "0A"}
    assert inodes
    assert not inodes & listening


def test_every_secret_is_closed_to_others(server: EmbeddedPostgres) -> None:
    data = server.data_dir
    assert mode_of(data / "cluster") == 0o700
    assert mode_of(data / "password") == 0o600
    assert mode_of(data / "postgres.log") == 0o600
    assert mode_of(socket_dir(server)) == 0o700
    assert mode_of(socket_dir(server) / SOCKET) == 0o700
    assert mode_of(socket_dir(server).parent / "control") == 0o600


def test_the_sockets_path_fits_the_kernel(server: EmbeddedPostgres) -> None:
    assert len(os.fsencode(socket_dir(server) / SOCKET)) <= 103


def test_a_wrong_password_is_rejected(server: EmbeddedPostgres) -> None:
    for dsn in (server.dsn, server.superuser_dsn):
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(make_conninfo(dsn, password="guessed"))


def test_no_role_and_no_database_is_let_in_without_a_password(server: EmbeddedPostgres) -> None:
    rules = "SELECT array_agg(DISTINCT auth_method) FROM pg_hba_file_rules"
    assert value_of(server.superuser_dsn, rules) == ["scram-sha-256"]


def test_what_the_application_runs_as_is_no_superuser(server: EmbeddedPostgres) -> None:
    with psycopg.connect(server.dsn) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("COPY (SELECT 1) TO PROGRAM 'cat'")


def test_the_application_owns_its_database_and_may_make_others(server: EmbeddedPostgres) -> None:
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        connection.execute("CREATE TABLE owned ()")
        connection.execute("DROP TABLE owned")
        connection.execute("CREATE DATABASE another")
        connection.execute("DROP DATABASE another")


def test_sqlalchemy_connects_by_its_own_url(server: EmbeddedPostgres) -> None:
    engine = sqlalchemy.create_engine(server.sqlalchemy_url)
    with engine.connect() as connection:
        assert connection.scalar(sqlalchemy.text("SELECT current_user")) == "skyjo"
    engine.dispose()


def test_settings_for_another_postgresql_do_not_lead_astray(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "PGDATA": "/nowhere",
        "PGPORT": "1",
        "PGHOST": "127.0.0.1",
        "PGPASSWORD": "of another server",
        "PGUSER": "somebody",
        "PGDATABASE": "elsewhere",
    }.items():
        monkeypatch.setenv(name, value)
    with EmbeddedPostgres(data_dir) as server:
        assert value_of(server.dsn, "SELECT current_database()") == "skyjo"


def test_postgresql_is_handed_no_secret_of_our_environment(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKYJO_PEPPER", "of the tokens")
    with EmbeddedPostgres(data_dir):
        environment = Path(f"/proc/{postmaster_of(data_dir)}/environ").read_bytes()
    assert b"PATH=" in environment
    assert b"SKYJO" not in environment


@pytest.mark.parametrize("name", ["with space", "it's", 'a "quoted" one', "back\\slash", "one,two", "größe", "%h=%41"])
def test_a_data_directory_may_have_any_name(tmp_path: Path, name: str) -> None:
    with EmbeddedPostgres(tmp_path / name) as server:
        assert value_of(server.dsn, "SELECT 1") == 1
        engine = sqlalchemy.create_engine(server.sqlalchemy_url)
        with engine.connect() as connection:
            assert connection.scalar(sqlalchemy.text("SELECT 2")) == 2
        engine.dispose()


def test_a_data_directory_too_deep_for_a_socket_gets_its_sockets_elsewhere(tmp_path: Path) -> None:
    deep = tmp_path / ("a" * 60) / ("b" * 60) / "data"
    with EmbeddedPostgres(deep) as server:
        elsewhere = socket_dir(server)
        assert value_of(server.dsn, "SELECT 1") == 1
        assert len(os.fsencode(elsewhere / SOCKET)) <= 103
        assert mode_of(elsewhere) == 0o700
        assert not mode_of(elsewhere.parent) & 0o066
    assert not elsewhere.parent.exists()


def test_nothing_above_the_data_is_opened_or_given_away(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(0o700)
    above = [closed, *closed.parents]
    before = [(path, path.stat().st_mode, path.stat().st_uid, path.stat().st_gid) for path in above]
    with EmbeddedPostgres(closed / "data") as server:
        assert value_of(server.dsn, "SELECT 1") == 1
    assert [(path, path.stat().st_mode, path.stat().st_uid, path.stat().st_gid) for path in above] == before


def test_before_start_and_after_stop_there_is_no_way_in(data_dir: Path) -> None:
    server = EmbeddedPostgres(data_dir)
    with pytest.raises(NotReady, match="start"):
        _ = server.dsn
    server.start()
    server.start()
    server.stop()
    server.stop()
    with pytest.raises(NotReady, match="start"):
        _ = server.dsn


@pytest.mark.usefixtures("as_root", "each_binaries")
def test_started_by_root_no_process_of_postgresql_is_roots(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir):
        folders = [Path(f"/proc/{pid}") for pid in server_of(data_dir)]
        owners = {folder.stat().st_uid for folder in folders if folder.exists()}
    assert owners == {choose_account(data_dir / "cluster").uid}
    assert 0 not in owners


@pytest.mark.usefixtures("as_root")
def test_started_by_root_other_accounts_cannot_reach_the_socket(open_dir: Path) -> None:
    stranger = pwd.getpwnam("daemon")
    with EmbeddedPostgres(open_dir / "data") as server:
        look = subprocess.run(
            ["/bin/ls", socket_dir(server)], user=stranger.pw_uid, capture_output=True, text=True, check=False
        )
    assert "Permission denied" in look.stderr
