"""The public names of the two packages that people import: compared with a list, so that none comes or goes unseen.

Run ``python -m tests.house.public_names`` to write the list anew, and read the difference before it is committed.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from tests.house.tree import ROOT

LIST = ROOT / "tests" / "house" / "public_names.txt"
PACKAGES = ("skyjo", "skyjo_client")


def exported(package: str) -> Sequence[str]:
    """Give the names that the package exports, as ``package.name``, sorted."""
    names: Sequence[str] = getattr(importlib.import_module(package), "__all__", ())
    return sorted(f"{package}.{name}" for name in names)


def listed(package: str) -> Sequence[str]:
    """Give the names of the package that the list holds."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith(f"{package}.")]


if __name__ == "__main__":
    LIST.write_text("".join(f"{name}\n" for package in PACKAGES for name in exported(package)), encoding="utf-8")
