"""What becomes of the server and its data when anything is killed, or has left its files in disorder."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from skyjo_server.postgres import EmbeddedPostgres
from tests.server.postgres.conftest import UserFactory
from tests.server.postgres.users import (
    Processes,
    User,
    eventually,
    everything_of,
    is_serving,
    postmaster_of,
    supervisor_of,
    value_of,
    was_shut_down_cleanly,
)


def pid_file(data_dir: Path) -> Path:
    return data_dir / "cluster" / "postmaster.pid"


def kill_everything(data_dir: Path, *, top_first: bool) -> None:
    """Kill the supervisor and every process below it."""
    pids = everything_of(data_dir)
    victims = Processes(pids if top_first else reversed(pids))
    victims.kill()
    victims.wait()


def test_a_killed_postmaster_is_started_again_in_the_same_place(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as server:
        dsn = server.dsn
        supervisor = supervisor_of(data_dir)
        for _ in range(3):
            victim = Processes([postmaster_of(data_dir)])
            victim.kill()
            victim.wait()
            eventually(lambda: is_serving(dsn), "the server")
            assert supervisor_of(data_dir) == supervisor
            assert server.dsn == dsn
    assert was_shut_down_cleanly(data_dir)


def test_a_user_that_gets_no_new_server_at_first_tries_again(made_data_dir: Path) -> None:
    password, hidden = made_data_dir / "password", made_data_dir / "hidden"
    log = made_data_dir / "postgres.log"
    with EmbeddedPostgres(made_data_dir) as server:
        dsn = server.dsn
        password.rename(hidden)
        victims = Processes(everything_of(made_data_dir))
        victims.kill()
        victims.wait()
        eventually(lambda: log.read_text().count("password file") >= 3, "three attempts in vain")
        hidden.rename(password)
        eventually(lambda: is_serving(dsn), "the server")
    assert was_shut_down_cleanly(made_data_dir)


def test_a_postmaster_told_to_stop_by_somebody_is_started_again(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as server:
        victim = Processes([postmaster_of(data_dir)])
        os.kill(postmaster_of(data_dir), signal.SIGINT)
        victim.wait()
        eventually(lambda: is_serving(server.dsn), "the server")


def test_a_killed_backend_costs_its_connection_only(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as server:
        postmaster = postmaster_of(data_dir)
        with closing(psycopg.connect(server.dsn)) as connection:
            os.kill(connection.info.backend_pid, signal.SIGKILL)
            with pytest.raises(psycopg.OperationalError):
                connection.execute("SELECT 1")
        eventually(lambda: is_serving(server.dsn), "the server")
        assert postmaster_of(data_dir) == postmaster


def test_a_backend_that_outlives_its_postmaster_does_not_block_the_next(made_data_dir: Path) -> None:
    # A backend that computes notices the death of its postmaster only at the end of its query, here in years.
    endless = b"SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b"
    computing = (
        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() AND usename = 'skyjo'"
    )
    with EmbeddedPostgres(made_data_dir) as server, closing(psycopg.connect(server.dsn)) as connection:
        connection.pgconn.send_query(endless)
        connection.pgconn.flush()
        eventually(lambda: value_of(server.dsn, computing) == 1, "the long query")
        backend, postmaster = Processes([connection.info.backend_pid]), Processes([postmaster_of(made_data_dir)])
        postmaster.kill()
        postmaster.wait()
        eventually(lambda: is_serving(server.dsn), "the server")
        backend.wait()


@pytest.mark.parametrize("top_first", [True, False])
def test_after_everything_is_killed_the_next_start_recovers_what_was_committed(
    data_dir: Path, start_user: UserFactory, *, top_first: bool
) -> None:
    writer = start_user(data_dir, "writer_program.py")
    acknowledged = [int(writer.said.readline()) for _ in range(300)]
    writer.process.send_signal(signal.SIGSTOP)  # so that it does not start the server again
    kill_everything(data_dir, top_first=top_first)
    writer.kill()
    acknowledged += [int(line) for line in writer.said]
    assert pid_file(data_dir).exists()
    with EmbeddedPostgres(data_dir) as server:
        assert numbers_in(server) in (acknowledged, [*acknowledged, acknowledged[-1] + 1])


def test_a_writer_loses_nothing_and_repeats_nothing_through_many_kills(data_dir: Path, start_user: UserFactory) -> None:
    chance = random.Random(7)
    writer = start_user(data_dir, "writer_program.py")
    acknowledged: list[int] = []
    for _ in range(12):
        acknowledged += [int(writer.said.readline()) for _ in range(chance.randint(20, 200))]
        pids = everything_of(data_dir)
        chance.shuffle(pids)
        victims = Processes(chance.choice([pids, pids[:1], [postmaster_of(data_dir)], [supervisor_of(data_dir)]]))
        victims.kill()
        victims.wait()
        acknowledged.append(int(writer.said.readline()))
    acknowledged += stop_writer(writer)
    with EmbeddedPostgres(data_dir) as server:
        assert numbers_in(server) in (acknowledged, [*acknowledged, acknowledged[-1] + 1])
    assert acknowledged == list(range(len(acknowledged)))


def stop_writer(writer: User) -> list[int]:
    writer.kill()
    return [int(line) for line in writer.said if line.endswith("\n")]


def numbers_in(server: EmbeddedPostgres) -> list[int]:
    with psycopg.connect(server.dsn) as connection:
        return [row[0] for row in connection.execute("SELECT number FROM numbers ORDER BY number")]


@pytest.mark.parametrize(
    "content",
    ["", "\n", "12", "not a number\n/nowhere\n", "-1\n", "99999999999999999999\n", "١\n", "\0\0\0\0"],
    ids=["empty", "newline", "torn", "words", "negative", "huge", "not-ascii", "zeroes"],
)
def test_a_torn_pid_file_is_no_obstacle(made_data_dir: Path, content: str) -> None:
    pid_file(made_data_dir).write_text(content)
    with EmbeddedPostgres(made_data_dir) as server:
        assert value_of(server.dsn, "SELECT 1") == 1


def test_a_pid_file_that_names_another_process_by_now_is_no_obstacle(
    made_data_dir: Path, start_user: UserFactory
) -> None:
    # The worst case: a process of PostgreSQL's own account, and one that is a PostgreSQL, elsewhere.
    elsewhere = made_data_dir.with_name("elsewhere")
    start_user(elsewhere).answer()
    for pid in (os.getpid(), postmaster_of(elsewhere)):
        pid_file(made_data_dir).write_text(
            f"{pid}\n{made_data_dir / 'cluster'}\n1700000000\n5432\n/tmp\n\n 1 1\nready   \n"
        )
        with EmbeddedPostgres(made_data_dir) as server:
            assert value_of(server.dsn, "SELECT 1") == 1


def test_sockets_left_by_a_dead_server_are_no_obstacle(made_data_dir: Path, start_user: UserFactory) -> None:
    user = start_user(made_data_dir)
    dsn = user.answer()["dsn"]
    user.process.send_signal(signal.SIGSTOP)
    kill_everything(made_data_dir, top_first=True)
    user.kill()
    lock = Path(str(conninfo_to_dict(dsn)["host"]), ".s.PGSQL.5432.lock")
    assert lock.exists()
    lock.write_text(f"{os.getpid()}\n")
    with EmbeddedPostgres(made_data_dir) as server:
        assert server.dsn == dsn
        assert is_serving(dsn)


def test_a_half_made_cluster_is_made_anew(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir):
        pass
    (data_dir / "cluster").rename(data_dir / "cluster.partial")
    (data_dir / "cluster.partial" / "PG_VERSION").unlink()
    with EmbeddedPostgres(data_dir) as server:
        assert value_of(server.dsn, "SELECT 1") == 1
    assert not (data_dir / "cluster.partial").exists()


def test_a_start_that_is_killed_at_any_moment_leaves_the_next_one_a_clear_way(
    data_dir: Path, start_user: UserFactory
) -> None:
    marks = ["start.lock", "README", "supervisor.lock", "run", "cluster.lock", "password", "cluster.partial", "cluster"]
    for mark in marks:
        user = start_user(data_dir)
        eventually((data_dir / mark).exists, mark)
        user.kill()
    assert is_serving(start_user(data_dir).answer()["dsn"])


@pytest.fixture
def small_disk(open_dir: Path) -> Iterator[Path]:
    """A file system of 160 MB."""
    mount = ["/bin/mount", "-t", "tmpfs", "-o", "size=160m,mode=0755", "skyjo-test", str(open_dir)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("only root can mount a file system of its own, and not in every container")
    yield open_dir
    subprocess.run(["/bin/umount", str(open_dir)], check=True)


def fill(path: Path) -> None:
    """Write a file until the disk is full."""
    with path.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        for size in (1 << 20, 1 << 12):
            with contextlib.suppress(OSError):
                while file.write(b"x" * size) == size:
                    pass


def write_log_until_it_fails(server: EmbeddedPostgres) -> None:
    """Fill the write-ahead log, whose end PostgreSQL survives as little as a power cut."""
    with (
        contextlib.suppress(psycopg.Error),
        closing(psycopg.connect(server.superuser_dsn, autocommit=True)) as connection,
    ):
        while True:
            connection.execute("SELECT pg_logical_emit_message(false, 'filler', repeat('x', 100000))")


def test_a_server_that_a_full_disk_stopped_comes_back_by_itself_once_there_is_room(small_disk: Path) -> None:
    with EmbeddedPostgres(small_disk / "data") as server:
        with psycopg.connect(server.dsn) as connection:
            connection.execute("CREATE TABLE numbers AS SELECT generate_series(0, 999) AS number")
        postmaster = Processes([postmaster_of(server.data_dir)])
        fill(small_disk / "filler")
        write_log_until_it_fails(server)
        postmaster.wait()
        (small_disk / "filler").unlink()
        eventually(lambda: is_serving(server.dsn), "the server")
        assert numbers_in(server) == list(range(1000))
