"""Several processes use one data directory: one server, which lives exactly as long as its users."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from skyjo_server.postgres import DataDirectoryBusy, EmbeddedPostgres
from skyjo_server.postgres.binaries import find_binaries
from skyjo_server.postgres.home import Home
from skyjo_server.postgres.identity import choose_account, launch
from skyjo_server.postgres.processes import read_pid_file
from skyjo_server.postgres.supervisor import take_over
from tests.server.postgres.conftest import UserFactory
from tests.server.postgres.users import (
    LONGEST_SECONDS,
    Processes,
    eventually,
    everything_of,
    is_serving,
    parent_of,
    postmaster_of,
    server_of,
    supervisor_of,
    value_of,
    was_shut_down_cleanly,
)


def whole_tree(data_dir: Path) -> Processes:
    return Processes(everything_of(data_dir))


def test_a_second_process_joins_the_server_that_runs(data_dir: Path, start_user: UserFactory) -> None:
    first = start_user(data_dir).answer()
    postmaster = postmaster_of(data_dir)
    second = start_user(data_dir).answer()
    assert second == first
    assert postmaster_of(data_dir) == postmaster
    assert value_of(second["dsn"], "SELECT 1") == 1


def test_many_processes_that_start_at_once_get_one_server(data_dir: Path, start_user: UserFactory) -> None:
    users = [start_user(data_dir) for _ in range(8)]
    answers = [user.answer() for user in users]
    assert all(answer == answers[0] for answer in answers)
    starts = (data_dir / "postgres.log").read_text().count("starting PostgreSQL")
    assert starts == 1


def test_the_server_stops_cleanly_when_its_last_user_exits(data_dir: Path, start_user: UserFactory) -> None:
    first, second = start_user(data_dir), start_user(data_dir)
    dsn = first.answer()["dsn"]
    second.answer()
    tree = whole_tree(data_dir)
    first.go()
    assert is_serving(dsn)
    second.go()
    tree.wait()
    assert was_shut_down_cleanly(data_dir)


def test_a_user_that_exits_last_exits_after_the_server(data_dir: Path, start_user: UserFactory) -> None:
    user = start_user(data_dir)
    user.answer()
    processes = server_of(data_dir)
    user.go()
    assert [pid for pid in processes if Path(f"/proc/{pid}").exists()] == []


@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_the_server_stops_cleanly_when_its_only_user_is_killed(
    data_dir: Path, start_user: UserFactory, signal_number: signal.Signals
) -> None:
    user = start_user(data_dir)
    user.answer()
    tree = whole_tree(data_dir)
    user.process.send_signal(signal_number)
    tree.wait()
    assert was_shut_down_cleanly(data_dir)


def test_the_server_outlives_the_kill_of_the_user_who_started_it(data_dir: Path, start_user: UserFactory) -> None:
    first, second = start_user(data_dir), start_user(data_dir)
    first.answer()
    dsn = second.answer()["dsn"]
    tree = whole_tree(data_dir)
    with psycopg.connect(dsn) as connection:
        first.kill()
        assert connection.execute("SELECT 1").fetchone() == (1,)
    third = start_user(data_dir)
    assert third.answer()["dsn"] == dsn
    second.kill()
    assert is_serving(dsn)
    third.kill()
    tree.wait()
    assert was_shut_down_cleanly(data_dir)


def test_users_that_come_while_the_last_one_goes_find_a_server(data_dir: Path, start_user: UserFactory) -> None:
    start_user(data_dir).answer()
    for _ in range(5):
        leaving, coming = start_user(data_dir), start_user(data_dir)
        leaving.answer()
        leaving.kill()
        assert is_serving(coming.answer()["dsn"])
        coming.kill()


def test_two_handles_in_one_process_are_two_users(data_dir: Path) -> None:
    first, second = EmbeddedPostgres(data_dir), EmbeddedPostgres(data_dir)
    first.start()
    second.start()
    first.stop()
    assert is_serving(second.dsn)
    second.stop()
    assert was_shut_down_cleanly(data_dir)


def fork_a_child_that_waits_for(pipe: int, to_close: int) -> int:
    child = os.fork()
    if child == 0:
        os.close(to_close)
        os.read(pipe, 1)
        os._exit(0)
    return child


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_neither_keeps_nor_stops_the_server(data_dir: Path) -> None:
    reading, writing = os.pipe()
    server = EmbeddedPostgres(data_dir)
    server.start()
    child = fork_a_child_that_waits_for(reading, writing)
    tree = whole_tree(data_dir)
    assert is_serving(server.dsn)
    server.stop()
    tree.wait()
    os.close(writing)
    os.close(reading)
    assert os.waitpid(child, 0)[1] == 0


def start_in_child(server: EmbeddedPostgres) -> None:
    server.stop()  # its parent's, so nothing happens
    server.start()
    assert is_serving(server.dsn)
    server.stop()


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_may_join_for_itself(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as server:
        child = multiprocessing.get_context("fork").Process(target=start_in_child, args=(server,))
        child.start()
        child.join(LONGEST_SECONDS)
        assert child.exitcode == 0
        assert is_serving(server.dsn)


def test_an_interrupt_at_the_terminal_does_not_reach_the_server(data_dir: Path, start_user: UserFactory) -> None:
    user = start_user(data_dir)
    user.answer()
    assert os.getsid(supervisor_of(data_dir)) != os.getsid(user.process.pid)
    assert os.getpgid(postmaster_of(data_dir)) != os.getpgid(user.process.pid)


def test_the_supervisor_is_no_child_of_its_user(data_dir: Path, start_user: UserFactory) -> None:
    user = start_user(data_dir)
    user.answer()
    assert parent_of(supervisor_of(data_dir)) != user.process.pid


def test_a_supervisor_told_to_end_stops_its_server_and_a_user_starts_it_again(
    data_dir: Path, start_user: UserFactory
) -> None:
    dsn = start_user(data_dir).answer()["dsn"]
    tree = whole_tree(data_dir)
    os.kill(supervisor_of(data_dir), signal.SIGTERM)
    tree.wait()
    eventually(lambda: is_serving(dsn), "the server that its user still needs")
    assert "database system was not properly shut down" not in (data_dir / "postgres.log").read_text()


def test_a_killed_supervisor_takes_its_server_along_cleanly(data_dir: Path, start_user: UserFactory) -> None:
    user = start_user(data_dir)
    user.answer()
    tree = whole_tree(data_dir)
    user.process.send_signal(signal.SIGSTOP)  # so that it does not start another one
    os.kill(supervisor_of(data_dir), signal.SIGKILL)
    tree.wait()
    assert was_shut_down_cleanly(data_dir)


def test_after_the_kill_of_the_supervisor_its_users_have_a_server_again_in_the_same_place(
    data_dir: Path, start_user: UserFactory
) -> None:
    users = [start_user(data_dir) for _ in range(3)]
    dsn, *_ = [user.answer()["dsn"] for user in users]
    old = supervisor_of(data_dir)
    tree = whole_tree(data_dir)
    os.kill(old, signal.SIGKILL)
    tree.wait()
    eventually(lambda: is_serving(dsn), "a server for the users that are left")
    new = whole_tree(data_dir)
    for user in users:
        user.kill()
    new.wait()
    assert was_shut_down_cleanly(data_dir)


def test_a_user_that_cannot_see_the_supervisor_of_another_is_told_why(made_data_dir: Path) -> None:
    # As in another container, or under systemd's PrivateTmp.
    home, (ours, theirs) = Home(made_data_dir), socket.socketpair()
    with EmbeddedPostgres(made_data_dir), ours, theirs:
        with pytest.raises(DataDirectoryBusy, match="same container"):
            take_over(home, theirs, timeout_seconds=0)
        ours.close()
        assert take_over(home, theirs, timeout_seconds=LONGEST_SECONDS) is None


@pytest.mark.parametrize("leave", ["server.stop()", "sys.exit(3)", "raise SystemExit(3)", "1 / 0"])
def test_a_program_that_ends_in_any_way_leaves_no_server(data_dir: Path, leave: str) -> None:
    program = (
        "import sys; from pathlib import Path; from skyjo_server.postgres import EmbeddedPostgres\n"
        f"server = EmbeddedPostgres(Path({str(data_dir)!r})); server.start(); {leave}"
    )
    subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, timeout=LONGEST_SECONDS)
    assert was_shut_down_cleanly(data_dir)


def test_a_server_that_somebody_started_by_hand_is_left_alone(open_dir: Path) -> None:
    data_dir = open_dir / "data"
    with EmbeddedPostgres(data_dir):
        pass
    cluster = data_dir / "cluster"
    command = [str(find_binaries().bin / "postgres"), "-D", str(cluster), "-c", "listen_addresses=", "-k", str(cluster)]
    with (open_dir / "log").open("wb") as log:
        by_hand = launch(choose_account(cluster), command, output=log.fileno())
    eventually(lambda: read_pid_file(cluster) == (by_hand.pid, "ready"), "the server started by hand")
    with pytest.raises(DataDirectoryBusy, match=f"process {by_hand.pid}.*by hand"):
        EmbeddedPostgres(data_dir).start()
    assert by_hand.poll() is None
    by_hand.send_signal(signal.SIGINT)
    assert by_hand.wait(LONGEST_SECONDS) == 0
