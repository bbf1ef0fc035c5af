"""Writes the OpenAPI document that the code describes: ``python -m skyjo_server.http.openapi [--check] FILE``.

Describes nothing itself: what stands in the document comes from the routes, the schemas and the table of problems.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path
from typing import Any

import yaml

from skyjo_server.http.app import describe

HEADING = "# Written by: python -m skyjo_server.http.openapi openapi.yaml\n"


class _Dumper(yaml.SafeDumper):
    """Writes every value out: references inside the file would be YAML's own, not the document's."""

    def ignore_aliases(self, _data: Any) -> bool:
        """Use none."""
        return True


def _write_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _write_text)


def document() -> dict[str, Any]:
    """The document."""
    _, api = describe()
    return api.document()


def as_yaml(described: dict[str, Any]) -> str:
    """Write a document as YAML."""
    return HEADING + yaml.dump(described, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)


def main() -> int:
    """Write the file, or compare it: then 1 if it is not what the code describes."""
    parser = argparse.ArgumentParser(description="Write the OpenAPI document that the code describes.")
    parser.add_argument("file", type=Path, help="where it is, usually openapi.yaml")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the file is another")
    options = parser.parse_args()
    written = as_yaml(document())
    if not options.check:
        options.file.write_text(written, encoding="utf-8")
        return 0
    found = options.file.read_text(encoding="utf-8") if options.file.exists() else ""
    sys.stdout.writelines(
        difflib.unified_diff(found.splitlines(True), written.splitlines(True), str(options.file), "the code")
    )
    return int(found != written)


if __name__ == "__main__":
    sys.exit(main())
