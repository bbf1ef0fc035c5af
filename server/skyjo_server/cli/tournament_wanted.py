"""What a tournament shall be, from options of a command and a file. What fits together, the service says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from skyjo import InvalidRules, RuleSet
from skyjo_client import SequentialTest, TournamentFormat, TournamentOptions
from skyjo_server.cli.output import EXIT_USAGE, CommandFailed

_HINT = "see 'skyjo tournament create --help'"


def wanted(file: Path | None, given: Mapping[str, Any]) -> TournamentOptions:
    """The options of a tournament: those of a file, and over them those that were given.

    Args:
        file: an object as `POST /v1/tournaments` takes it.
        given: members by name; None = not given.
    Raises:
        CommandFailed: naming the member that is missing, unknown or wrong.
    """
    members = {} if file is None else _members(file)
    members.update({name: value for name, value in given.items() if value is not None})
    for name, example in (("name", "'Winter Cup'"), ("format", f"--format {TournamentFormat.SWISS}")):
        if name not in members:
            raise CommandFailed(f"the tournament has no {name}", f"give one: {example}", EXIT_USAGE)
    try:
        usual = _usual(str(members["name"]), TournamentFormat(members["format"]))
        _refuse_unknown(members, usual)
        made = {**usual, **members, "rules": _rules(members), "sequential": _test(members)}
        return TournamentOptions.from_dict(made)
    except (InvalidRules, ValueError) as error:
        raise CommandFailed(str(error), _HINT, EXIT_USAGE) from error


def sequential(text: str) -> dict[str, Any]:
    """The sequential test of an option such as ``0:10`` or ``0:3:points``: low, high, unit, alpha, beta."""
    names = ("low", "high", "unit", "alpha", "beta")
    parts = text.split(":")
    wrong = CommandFailed(
        f"--sequential: {text!r} is no test",
        "write it as LOW:HIGH[:UNIT[:ALPHA[:BETA]]], for example 0:10:elo:0.05:0.05",
        EXIT_USAGE,
    )
    if not 2 <= len(parts) <= len(names):
        raise wrong
    try:
        return {name: part if name == "unit" else float(part) for name, part in zip(names, parts, strict=False)}
    except ValueError as error:
        raise wrong from error


def _members(file: Path) -> dict[str, Any]:
    try:
        members = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CommandFailed(f"{file}: {error}", "name a file with a JSON object of options", EXIT_USAGE) from error
    if not isinstance(members, dict):
        raise CommandFailed(f"{file}: that is no JSON object", _HINT, EXIT_USAGE)
    return members


def _usual(name: str, form: TournamentFormat) -> dict[str, Any]:
    """Every member with what is meant where it is not given."""
    nothing = dict.fromkeys(TournamentOptions.__dataclass_fields__)
    return {**nothing, **TournamentOptions(name=name, format=form).to_dict()}


def _rules(members: Mapping[str, Any]) -> dict[str, Any]:
    preset = RuleSet.preset(members.get("preset") or "classic").to_dict()
    return RuleSet.from_dict({**preset, **_object(members, "rules")}).to_dict()


def _test(members: Mapping[str, Any]) -> dict[str, Any] | None:
    if members.get("sequential") is None:
        return None
    usual = asdict(SequentialTest())
    given = _object(members, "sequential")
    _refuse_unknown(given, usual)
    return {**usual, **given}


def _object(members: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = members.get(name) or {}
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} is {value!r}, but must be an object of options")  # noqa: TRY004 - as for every wrong member
    return value


def _refuse_unknown(members: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    if unknown := sorted(members.keys() - known.keys()):
        raise ValueError(f"there is no option {unknown[0]!r}: there are {', '.join(known)}")
