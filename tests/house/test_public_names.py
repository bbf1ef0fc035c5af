"""The packages that people import export a listed set of names."""

from __future__ import annotations

import importlib
from inspect import isclass, isroutine

import pytest

from tests.house import public_names


@pytest.mark.parametrize("package", public_names.PACKAGES)
def test_a_package_exports_exactly_the_listed_names(package: str) -> None:
    assert public_names.exported(package) == public_names.listed(package), (
        "read the difference, then run: python -m tests.house.public_names"
    )


@pytest.mark.parametrize("package", public_names.PACKAGES)
def test_every_exported_name_is_there_and_documented(package: str) -> None:
    module = importlib.import_module(package)
    values = {name: getattr(module, name.partition(".")[2]) for name in public_names.exported(package)}
    bare = [name for name, value in values.items() if (isclass(value) or isroutine(value)) and not value.__doc__]
    assert not bare, "each of these wants a docstring"
