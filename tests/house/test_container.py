"""The container file asks for what a container of ours needs. No container is built here."""

from __future__ import annotations

import re

from tests.house.tree import ROOT

LINES = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()


def arguments(instruction: str) -> list[str]:
    """Give the arguments of every such instruction, in order."""
    return [line.removeprefix(instruction).strip() for line in LINES if line.startswith(f"{instruction} ")]


def test_it_stands_on_a_slim_python_of_one_minor_version() -> None:
    assert [image for image in arguments("FROM") if not re.fullmatch(r"python:3\.1[1-9]-slim( AS \w+)?", image)] == []
    assert arguments("FROM")


def test_it_installs_the_locked_versions_of_the_server() -> None:
    installs = [command for command in arguments("RUN") if "pip install" in command]
    assert any("-c constraints.txt" in command and "'.[server]'" in command for command in installs)


def test_it_runs_as_an_ordinary_user_to_the_end() -> None:
    users = arguments("USER")
    assert users
    assert users[-1] not in {"root", "0"}
    last_user = max(number for number, line in enumerate(LINES) if line.startswith("USER "))
    assert not any(line.startswith("RUN ") for line in LINES[last_user:])


def test_it_serves_the_port_that_it_names_and_is_asked_for_its_health_there() -> None:
    (port,) = arguments("EXPOSE")
    assert any(f"127.0.0.1:{port}/readyz" in check for check in arguments("HEALTHCHECK"))
    assert arguments("CMD") == [f'["skyjo", "server", "run", "--host", "0.0.0.0", "--port", "{port}"]']


def test_it_keeps_the_database_on_a_volume() -> None:
    assert arguments("VOLUME")
