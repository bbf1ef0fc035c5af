"""What holds for every test: a clean environment, no deadlines, and nothing left out silently. It has no fixtures."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest
from hypothesis import settings

NEEDS_A_TOOL = ("browser", "node")
"""Markers of tests that need a program from outside Python."""


def pytest_configure() -> None:
    """Forget the project's settings of whoever runs the tests, and load the profile for properties."""
    for name in [name for name in os.environ if name.startswith("SKYJO_")]:
        # A developer's own server must never be what the tests write to.
        del os.environ[name]
    # A deadline would assert a duration. In CI, Hypothesis loads its own profile, which repeats the same examples.
    settings.register_profile("house", deadline=None, print_blob=True)
    if "CI" not in os.environ:
        settings.load_profile("house")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test in CI that was skipped because its tool is missing: CI installs every tool that a marker names."""
    report = yield
    skipped = report.skipped and not hasattr(report, "wasxfail")
    if skipped and "CI" in os.environ and any(map(item.get_closest_marker, NEEDS_A_TOOL)):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, and CI leaves out no test that needs {' or '.join(NEEDS_A_TOOL)}"
    return report
