"""An event's options as plain data, and back: for its log, its row and its archive. Checks nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from skyjo import RuleSet
from skyjo_server.service.model import ClockRules, OnTimeout
from skyjo_server.service.tournament_model import NewTournament
from skyjo_server.tournaments.values import Format, Scoring, Sequential, Shape, Unit


def options_to_dict(new: NewTournament) -> dict[str, Any]:
    """Everything that was asked for, JSON-ready.

    >>> wanted = NewTournament("Cup", Shape(format=Format.SWISS))
    >>> options_from_dict(options_to_dict(wanted)) == wanted
    True
    """
    return {
        "name": new.name,
        "shape": asdict(new.shape),
        "rules": new.rules.to_dict(),
        "clock": asdict(new.clock),
        "house": list(new.house),
        "filler": new.filler,
        "start_at": _written(new.start_at),
        "start_when_full": new.start_when_full,
        "closes_at": _written(new.closes_at),
        "late_entry": new.late_entry,
    }


def options_from_dict(data: Mapping[str, Any]) -> NewTournament:
    """What :func:`options_to_dict` wrote."""
    clock = data["clock"]
    return NewTournament(
        name=data["name"],
        shape=_shape(data["shape"]),
        rules=RuleSet.from_dict(data["rules"]),
        clock=ClockRules(**{**clock, "on_timeout": OnTimeout(clock["on_timeout"])}),
        house=tuple(data["house"]),
        filler=data["filler"],
        start_at=_read(data["start_at"]),
        start_when_full=data["start_when_full"],
        closes_at=_read(data["closes_at"]),
        late_entry=data["late_entry"],
    )


def _shape(data: Mapping[str, Any]) -> Shape:
    test = data["sequential"]
    return Shape(
        **{
            **data,
            "format": Format(data["format"]),
            "scoring": Scoring(data["scoring"]),
            "sequential": None if test is None else Sequential(**{**test, "unit": Unit(test["unit"])}),
        }
    )


def _written(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _read(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
