"""The locked versions cover everything that an installation brings, and name no place to get it from."""

from __future__ import annotations

import re
from importlib.metadata import metadata, requires

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.house.tree import ROOT

LINES = [
    line
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
LOCKED = {canonicalize_name(Requirement(line).name): Requirement(line) for line in LINES}
EVERYTHING = "skyjo-arena[dev]"


def needed(requirement: Requirement, seen: set[str]) -> set[str]:
    """Give the names of all distributions that this environment needs for a requirement, all the way down."""
    for text in requires(requirement.name) or ():
        child = Requirement(text)
        extras = requirement.extras or {""}
        wanted = child.marker is None or any(child.marker.evaluate({"extra": extra}) for extra in extras)
        if wanted and str(child) not in seen:
            seen.add(str(child))
            needed(child, seen)
    return {canonicalize_name(Requirement(text).name) for text in seen}


@pytest.mark.parametrize("line", LINES)
def test_a_line_of_the_lock_is_a_name_one_version_and_perhaps_a_platform(line: str) -> None:
    assert re.fullmatch(r"[a-z0-9-]+==[0-9a-z.]+( ; [a-z_]+ [!=]= '\w+')?", line)


def test_every_distribution_is_locked_once() -> None:
    assert len(LOCKED) == len(LINES)


def test_every_distribution_that_is_needed_is_locked() -> None:
    names = needed(Requirement(EVERYTHING), set())
    assert {"flask", "httpx", "pytest"} <= names
    assert names - LOCKED.keys() <= {"skyjo-arena"}


def test_every_locked_version_is_one_that_the_project_asks_for() -> None:
    asked = [Requirement(text) for text in requires("skyjo-arena") or ()]
    refused = [
        str(requirement)
        for requirement in asked
        if requirement.name != "skyjo-arena"
        and not all(
            requirement.specifier.contains(pin.version) for pin in LOCKED[canonicalize_name(requirement.name)].specifier
        )
    ]
    assert refused == []


def test_every_locked_version_runs_on_the_oldest_python_that_the_project_does() -> None:
    (oldest,) = SpecifierSet(metadata("skyjo-arena")["Requires-Python"])
    told = {name: metadata(name).get_all("Requires-Python", []) for name in needed(Requirement(EVERYTHING), set())}
    assert {
        name: texts for name, texts in told.items() if any(oldest.version not in SpecifierSet(one) for one in texts)
    } == {}
