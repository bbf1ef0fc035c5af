"""The option `--rules`: a preset's name, or options as JSON, given or in a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from skyjo import PRESETS, InvalidRules, RuleSet
from skyjo_server.cli.output import EXIT_USAGE, CommandFailed

RulesOption = Annotated[
    str,
    typer.Option(
        "--rules", help=f"{' | '.join(PRESETS)}, or options as JSON: '{{\"max_rounds\": 3}}', or a file of them."
    ),
]


def read_rules(text: str) -> RuleSet:
    """The rules that an option names.

    Raises:
        CommandFailed: naming the option that is wrong, and what it can be.
    """
    try:
        if text in PRESETS:
            return RuleSet.preset(text)
        return RuleSet.from_dict(_options(text))
    except InvalidRules as error:
        raise CommandFailed(f"--rules: {error}", code=EXIT_USAGE) from error


def _options(text: str) -> dict[str, Any]:
    source = text if text.lstrip().startswith("{") else _file(text)
    try:
        options = json.loads(source)
    except ValueError as error:
        raise CommandFailed(f"--rules: {error}", "write a JSON object of options", EXIT_USAGE) from error
    if not isinstance(options, dict):
        raise CommandFailed("--rules: that is no JSON object", "write a JSON object of options", EXIT_USAGE)
    return options


def _file(name: str) -> str:
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        hint = f"name a preset ({', '.join(PRESETS)}), a file, or write options as JSON"
        raise CommandFailed(f"--rules: {name!r} is no preset and no file: {error}", hint, EXIT_USAGE) from error
