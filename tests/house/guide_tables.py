"""Writes the tables of the guide that the code knows better: ``python -m tests.house.guide_tables [--check]``.

A page in `docs/` marks such a table with ``<!-- generated: name -->`` and ``<!-- end -->``; what stands between them is
written here. It explains nothing itself, but for the way out of each problem.
"""

from __future__ import annotations

import argparse
import difflib
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any, Final

from skyjo import PRESETS, Reason, RuleSet
from skyjo.rules import BOUNDS, CHOICES, FLAGS, NULLABLE
from skyjo_server.http import errors as edge_errors
from skyjo_server.http.openapi import document
from skyjo_server.http.problems import KINDS
from skyjo_server.http.schemas.problems import WITH_MORE, Problem, urn
from skyjo_server.http.schemas.rules import EXPLAINED
from skyjo_server.service import errors as service_errors
from skyjo_server.service.errors import ProblemCode, ServiceError
from skyjo_server.settings import PEPPER_BYTES, InvalidSetting, Settings
from tests.house.tree import ROOT

DOCS: Final = ROOT / "docs"
MARK: Final = re.compile(r"(<!-- generated: ([a-z-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
FEW: Final = 8
"""So many operations are named; more are counted."""

WAYS_OUT: Final[dict[ProblemCode, str]] = {
    ProblemCode.INVALID_JSON: "Correct the body at the places named. The same request fails again.",
    ProblemCode.INVALID_REQUEST: "Correct the places named. The same request fails again.",
    ProblemCode.INVALID_RULES: "Correct the option named; see [the rules](rules.md#options).",
    ProblemCode.UNAUTHENTICATED: "Send a token that is whole and has not been revoked.",
    ProblemCode.FORBIDDEN: "Use a token of a wider scope, or ask whoever runs the service.",
    ProblemCode.NOT_FOUND: "Check the id, and whose token you send. Missing and foreign look the same on purpose.",
    ProblemCode.METHOD_NOT_ALLOWED: "Use one of the methods in the header `Allow`.",
    ProblemCode.NOT_ACCEPTABLE: "Accept one of the media types that the hint names.",
    ProblemCode.BODY_TOO_LARGE: "Send less at once.",
    ProblemCode.UNSUPPORTED_MEDIA_TYPE: "Send JSON in UTF-8, not compressed, with `Content-Type: application/json`.",
    ProblemCode.ILLEGAL_ACTION: "Choose one of `legal_actions`. Nothing has changed.",
    ProblemCode.IDEMPOTENCY_KEY_REUSED: "Use a new key for each new request.",
    ProblemCode.PRECONDITION_REQUIRED: "Send `If-Match` with the version that you answer, in quotation marks.",
    ProblemCode.STALE_VERSION: "Decide again from `decision`. The action was not played.",
    ProblemCode.DEADLINE_PASSED: "Decide again from `decision`. What was played instead stands in `played`.",
    ProblemCode.GAME_NOT_STARTED: "Wait until every seat is taken.",
    ProblemCode.GAME_NOT_FINISHED: "Wait until the game is over.",
    ProblemCode.GAME_OVER: "Nothing can be changed in the game any more.",
    ProblemCode.GAME_FULL: "Look for another with `GET /v1/games?status=open`.",
    ProblemCode.ALREADY_SEATED: "Play the seat that `seat` names.",
    ProblemCode.EMBARGOED: "Wait until `embargoed` of the game is false.",
    ProblemCode.ENTRY_CLOSED: "Look for another with `GET /v1/tournaments?status=entry`.",
    ProblemCode.ENTRY_LIMIT: "Withdraw a bot of yours, as long as the event has not begun.",
    ProblemCode.ALREADY_ENTERED: "Enter another bot.",
    ProblemCode.TOO_FEW_ENTRIES: "Wait for more bots to enter, or set an event up with bots of the house.",
    ProblemCode.TOURNAMENT_NOT_STARTED: "Start the event first, or wait until it starts.",
    ProblemCode.TOURNAMENT_OVER: "Nothing can be changed in the event any more.",
    ProblemCode.TABLE_NOT_PLAYING: "Look at `outcome` of the table: only a game that is being played can be stopped.",
    ProblemCode.NAME_TAKEN: "Choose another name.",
    ProblemCode.RATE_LIMITED: "Wait as long as `Retry-After` says, then send the same request again.",
    ProblemCode.UNAVAILABLE: "Wait as long as `Retry-After` says, then send the same request with the same key.",
    ProblemCode.INTERNAL_ERROR: "Report the answer's `X-Request-Id`. Sending again with the same key does no harm.",
}

REASONS: Final[dict[Reason, str]] = {
    Reason.GAME_OVER: "The game is over.",
    Reason.NOT_YOUR_TURN: "The game waits for another seat.",
    Reason.ALREADY_CHOSEN: "The seat has chosen its first cards of this round.",
    Reason.WRONG_PHASE: "The action belongs to another phase, such as `keep` before `draw`.",
    Reason.FLIP_COUNT: "A choice of first cards has as many places as the rules say.",
    Reason.PLACE_TWICE: "A place is named twice.",
    Reason.PLACE_EMPTY: "The place holds no card any more.",
    Reason.PLACE_OPEN: "The card there lies open already.",
    Reason.FLIP_REQUIRED: "A reject must turn up a hidden card.",
    Reason.DRAW_IMPOSSIBLE: "There is no card left to draw.",
    Reason.ALREADY_LEFT: "The seat has left the game.",
    Reason.NO_SUCH_SEAT: "The game has no such seat.",
}


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def problems() -> str:
    """Every problem, a section each."""
    given = _operations_by_problem()
    kinds = _classes_by_code()
    return "\n".join(_problem(code, kinds.get(code), given.get(urn(code), [])) for code in ProblemCode)


def problem_overview() -> str:
    """Every problem in one table."""
    rows = [[f"[{code.value}](#{code.value})", str(KINDS[code].status), KINDS[code].title] for code in ProblemCode]
    return table(("code", "status", "title"), rows)


def reasons() -> str:
    """Why an action is illegal."""
    return table(("reason", "meaning"), [[f"`{reason.value}`", REASONS[reason]] for reason in Reason])


def options() -> str:
    """Every option of the rules."""
    house = [
        [f"`{name}`", _values(name), *(f"`{_json(rules.to_dict()[name])}`" for rules in PRESETS.values()), said]
        for name, said in ((option.name, EXPLAINED[option.name]) for option in fields(RuleSet))
    ]
    return table(("option", "values", *PRESETS, "meaning"), house)


def settings() -> str:
    """Every setting of the service."""
    said = _attributes(inspect.getdoc(Settings) or "")
    rows = [
        [
            f"`SKYJO_{option.name.upper()}`",
            _bounds(option.name),
            _default(option.default),
            said[option.name],
        ]
        for option in fields(Settings)
    ]
    return table(("variable", "values", "default", "meaning"), rows)


TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "problems": problems,
    "problem-overview": problem_overview,
    "reasons": reasons,
    "options": options,
    "settings": settings,
}
"""What can be generated, by the name in its mark."""


def filled(page: str) -> str:
    """Give a page with its tables as the code has them now."""
    return MARK.sub(lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n{found[4]}", page)


def _problem(code: ProblemCode, kind: type[ServiceError] | None, operations: Sequence[str]) -> str:
    said = "" if kind is None else f" {(inspect.getdoc(kind) or '').splitlines()[0]}"
    lines = [f"### {code.value}", "", f"Status **{KINDS[code].status}**. {KINDS[code].title}.{said}", ""]
    if code in WITH_MORE:
        more = WITH_MORE[code]._declared_fields
        names = [name for name in more if name not in Problem._declared_fields]
        lines += [f"- Further members: {', '.join(f'`{name}`' for name in names)}."]
    lines += [f"- The way out: {WAYS_OUT[code]}", f"- Given by: {_named(operations)}.", ""]
    return "\n".join(lines)


def _named(operations: Sequence[str]) -> str:
    if not operations:
        return "any address, before an operation is reached"
    if len(operations) > FEW:
        return f"{len(operations)} operations"
    return ", ".join(f"`{name}`" for name in operations)


def _operations_by_problem() -> dict[str, list[str]]:
    described = document()
    found: dict[str, list[str]] = {}
    for item in described["paths"].values():
        for operation in (value for value in item.values() if "operationId" in value):
            for answer in operation["responses"].values():
                for kind in _resolved(answer, described).get("x-problem-types", []):
                    found.setdefault(kind, []).append(operation["operationId"])
    return found


def _resolved(answer: dict[str, Any], described: dict[str, Any]) -> dict[str, Any]:
    name = answer.get("$ref", "").rpartition("/")[2]
    resolved: dict[str, Any] = described["components"]["responses"][name] if name else answer
    return resolved


def _classes_by_code() -> dict[ProblemCode, type[ServiceError]]:
    """The first class of each code, the service's own before those of the edge."""
    members = [*vars(service_errors).values(), *vars(edge_errors).values()]
    kinds = [kind for kind in members if isinstance(kind, type) and issubclass(kind, ServiceError)]
    return {kind.code: kind for kind in reversed(kinds) if kind is not ServiceError}


def _values(option: str) -> str:
    if option in CHOICES:
        return ", ".join(f"`{word}`" for word in CHOICES[option])
    if option in FLAGS:
        return "`true`, `false`"
    low, high = BOUNDS[option]
    return f"{low} to {high:,}{', or `null`' if option in NULLABLE else ''}"


def _json(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _bounds(setting: str) -> str:
    """What a setting can be, in the words of its own refusal; "text" if it refuses nothing."""
    # A pepper that is set keeps it from looking for the machine's own.
    wrong = {"SKYJO_PEPPER": "p" * PEPPER_BYTES, f"SKYJO_{setting.upper()}": "?"}
    try:
        Settings.from_environment(wrong)
    except InvalidSetting as error:
        _, must, wanted = str(error).partition("it must ")
        if must:
            return wanted.removeprefix("be ").partition(";")[0]
    return "text"


def _default(default: object) -> str:
    if default is MISSING:
        return "made once, kept in a file"
    return f"`{default}`" if default not in (None, ()) else "not set"


def _attributes(docstring: str) -> dict[str, str]:
    """The entries of a docstring's section Attributes."""
    section = docstring.partition("Attributes:\n")[2]
    entries = re.findall(r"^    (\w+): (.*(?:\n     +.*)*)", section, re.MULTILINE)
    return {name: _sentence(" ".join(text.split())) for name, text in entries}


def _sentence(text: str) -> str:
    text = text.replace("None =", "not set =")
    return text[:1].upper() + text[1:]


def main() -> int:
    """Write the pages, or compare them: then 1 if one is not what the code says."""
    parser = argparse.ArgumentParser(description="Write the generated tables of the guide.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page would change")
    check = parser.parse_args().check
    changed = False
    for path in sorted(DOCS.glob("*.md")):
        found = path.read_text(encoding="utf-8")
        written = filled(found)
        changed |= found != written
        if not check:
            path.write_text(written, encoding="utf-8")
        elif found != written:
            sys.stdout.writelines(difflib.unified_diff(found.splitlines(True), written.splitlines(True), path.name))
    return int(check and changed)


if __name__ == "__main__":
    sys.exit(main())
