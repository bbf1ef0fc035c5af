"""Every example of the documents runs as it is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house import documents
from tests.house.tree import ROOT, project_files, shown

README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [path for path in project_files() if path.suffix == ".md"]

NAMED = """
```python
# adder.py
def add(a, b):
    return a + b
```

```console
$ python -c 'import adder; print(adder.add(1, 2), id(adder))'
3 ...
```

```python
>>> import adder
>>> adder.add(2, 2)
4
```
"""


@pytest.mark.parametrize("path", DOCUMENTS, ids=shown)
def test_the_examples_of_a_document_run_as_shown(path: Path, tmp_path: Path) -> None:
    documents.run(path.read_text(encoding="utf-8"), tmp_path)


@pytest.mark.parametrize("path", DOCUMENTS, ids=shown)
def test_an_example_that_is_left_out_says_why(path: Path) -> None:
    assert all(block.not_run != "" for block in documents.blocks(path.read_text(encoding="utf-8")))


def test_the_set_up_commands_of_the_readme_are_the_ones_that_ci_runs() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert [command for command in documents.set_up_commands(README) if command not in script] == []


def test_later_examples_use_what_earlier_ones_wrote(tmp_path: Path) -> None:
    assert documents.run(NAMED, tmp_path) == 3


@pytest.mark.parametrize(
    "example",
    [
        "```python\nraise SystemExit(3)\n```",
        "```python\n>>> 1 + 1\n3\n```",
        "```console\n$ exit 4\n```",
        "```console\n$ echo one\ntwo\n```",
        "```python\nimport warnings\nwarnings.warn('old')\n```",
    ],
)
def test_an_example_that_does_something_else_than_shown_fails(example: str, tmp_path: Path) -> None:
    with pytest.raises(documents.ExampleFailed, match="line 1"):
        documents.run(example, tmp_path)


def test_what_ci_runs_and_what_says_why_not_is_left_out(tmp_path: Path) -> None:
    set_up = f"```console\n$ {documents.SET_UP}nothing && exit 1\n```\n"
    assert documents.run(set_up, tmp_path) == 1
    assert documents.set_up_commands(set_up) == [f"{documents.SET_UP}nothing && exit 1"]
    assert documents.run("<!-- not run: needs a server -->\n```console\n$ exit 1\n```\n", tmp_path) == 0
