"""A frontend's author needs the document and two packages: types from openapi-typescript, requests by openapi-fetch."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from skyjo import read_jsonl, verify
from skyjo.transcript import read_transcript
from tests.contract.typescript.node import HERE, LOCK, PACKAGES, installed_packages, missing_tools, run
from tests.faults.serving import RunningService
from tests.house.tree import ROOT


@pytest.fixture(scope="module")
def compiled(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client, compiled under every strict rule, with types made from the committed document."""
    if missing := missing_tools():
        pytest.skip(f"there is no {' and no '.join(missing)} here")
    assert pytestconfig.cache is not None
    packages = installed_packages(pytestconfig.cache.mkdir("typescript"))
    folder = tmp_path_factory.mktemp("typescript")
    (folder / PACKAGES).symlink_to(packages, target_is_directory=True)
    for name in ("package.json", "tsconfig.json", "play.ts", "refused.ts"):
        shutil.copy(HERE / name, folder)
    run(["node", f"{PACKAGES}/openapi-typescript/bin/cli.js", str(ROOT / "openapi.yaml"), "-o", "schema.d.ts"], folder)
    run(["node", f"{PACKAGES}/typescript/bin/tsc"], folder)
    return folder


@pytest.mark.node
def test_a_typescript_client_plays_a_whole_game_and_reads_its_replay(compiled: Path, running: RunningService) -> None:
    seen: dict[str, Any] = json.loads(run(["node", "out/play.js", running.url, f"ts-{uuid4().hex[:12]}"], compiled))
    (record,) = read_transcript(seen["text"])
    (same,) = read_jsonl(seen["lines"])
    verify(record)
    verify(same)
    assert record.game == same.game
    assert str(record.game) == seen["game"]
    assert list(record.result.totals) == seen["totals"]
    assert len(record.events) == seen["version"] + 1


def test_the_lock_names_versions_and_digests_and_no_address() -> None:
    lock: dict[str, Any] = json.loads(LOCK.read_text(encoding="utf-8"))
    assert not re.search(r"\w://", LOCK.read_text(encoding="utf-8")), "run: npm run renew-lock"
    locked = {name: entry for name, entry in lock["packages"].items() if name}
    assert locked
    assert all({"version", "integrity"} <= entry.keys() for entry in locked.values())


def test_the_client_asks_for_exactly_one_version_of_three_packages() -> None:
    package: dict[str, Any] = json.loads((HERE / "package.json").read_text(encoding="utf-8"))
    assert set(package["dependencies"]) == {"openapi-fetch"}
    assert set(package["devDependencies"]) == {"openapi-typescript", "typescript"}
    for version in (package["dependencies"] | package["devDependencies"]).values():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version)
