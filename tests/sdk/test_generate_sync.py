"""The synchronous client is what the generator writes from the asynchronous one."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

GENERATOR = Path(__file__).resolve().parents[2] / "client_sdk" / "generate_sync.py"


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_sync", GENERATOR)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_nothing_differs_from_what_would_be_written(generator: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    code = generator.main(["--check"])
    assert capsys.readouterr().out == ""
    assert code == 0


def test_a_file_that_was_changed_by_hand_or_has_no_source_is_found(generator: ModuleType, tmp_path: Path) -> None:
    changed, stray, right = (tmp_path / name for name in ("changed.py", "stray.py", "right.py"))
    changed.write_text("x = 2\n", encoding="utf-8")
    stray.write_text("", encoding="utf-8")
    right.write_text("y = 1\n", encoding="utf-8")
    missing = tmp_path / "missing.py"
    expected = {changed: "x = 1\n", right: "y = 1\n", missing: ""}
    assert set(generator.differences(expected)) == {changed, stray, missing}


def test_keywords_go_from_code_and_stay_in_prose(generator: ModuleType) -> None:
    source = 'async def f():\n    """Await it: an async client."""\n    return [x async for x in await g()]  # await\n'
    written = generator.synchronous(source, set())
    assert written == 'def f():\n    """Await it: an async client."""\n    return [x for x in g()]  # await\n'


def test_names_are_replaced_in_code_comments_and_texts_alike(generator: ModuleType) -> None:
    used: set[str] = set()
    source = "from a._async.b import AsyncPage, run_bot_async  # AsyncPage\nx = 'AsyncPage', asyncio.sleep, p.aclose\n"
    written = generator.synchronous(source, used)
    assert written == "from a._sync.b import Page, run_bot  # Page\nx = 'Page', time.sleep, p.close\n"
    assert len(used) == 5


def test_a_rule_that_replaces_nothing_is_an_error(generator: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "package" / "_async"
    folder.mkdir(parents=True)
    (folder / "one.py").write_text("class AsyncOne:\n    pass\n", encoding="utf-8")
    with pytest.raises(generator.StaleRule, match="asyncio"):
        generator.all_generated((folder,), tmp_path)
