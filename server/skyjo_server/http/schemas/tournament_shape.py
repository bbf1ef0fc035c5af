"""The numbers of a tournament's shape, and its sequential test. Which go together, the tournaments' package says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from marshmallow import fields

from skyjo.cards import SEATS_MAX, SEATS_MIN
from skyjo_server.http.fields import Flag, Real, Whole, Word
from skyjo_server.http.schemas.base import Answer, Request
from skyjo_server.service.errors import InvalidRequest
from skyjo_server.tournaments.values import (
    AT_ONCE_MAX,
    BOARDS_MAX,
    ENTRIES_MAX,
    ROUNDS_MAX,
    TABLES_MAX,
    Format,
    InvalidShape,
    Scoring,
    Sequential,
    Shape,
    Unit,
)

LONGEST_LEAD: Final = 1000
RISKS: Final = (0.0001, 0.4999)
DECISIONS: Final = ("continue", "first", "not-first")

EXPLAINED: Final = {
    "format": "Who meets whom.",
    "table_size": "Seats at a table; 2 in a knockout.",
    "boards": "How many games a meeting has. In Swiss, knockout and ladder a multiple of `table_size`: a meeting is "
    "played in every rotation of its seats.",
    "rounds": "Swiss: how many rounds; null = as many as the entries ask for. Round robin and gauntlet: how often the "
    "whole is played; null = once. Ladder: games of an entry after which it is not paired any more; null = it never "
    "ends. Knockout: null.",
    "duplicate": "Whether all tables of a round play the same deals; not on a ladder, nor with a single challenger.",
    "scoring": "What counts at a table.",
    "entries_max": "How many may enter; null = as many as the service takes.",
    "entries_per_owner": "How many of them may be of one owner.",
    "challengers": "Gauntlet: the first so many entries meet everybody else, but not one another.",
    "seeded": "Knockout: whether the order of entry is the order of strength; otherwise it is drawn.",
    "tables_max": "Round robin and gauntlet: meetings of the whole, at most; of more, a balanced part is played.",
    "tables_at_once": "How many games of it run at the same time, at most.",
    "games_at_once": "Ladder: how many games of one entry run at the same time, at most.",
    "sequential": "Tournament of two entries: when it may stop early; null = it is played to its end.",
    "house": "Bots of the house that are entered from the start.",
    "filler": "The bot of the house that is entered at the start to make the numbers divide; null = there are byes.",
    "start_at": "When it begins by itself; null = not by the clock.",
    "start_when_full": "Whether it begins by itself once `entries_max` are in.",
    "closes_at": "Until when bots may enter; null = until it begins.",
    "late_entry": "Whether bots may enter a Swiss tournament that has begun; a ladder always lets them.",
}
"""What the description says of each option of a tournament."""

BOUNDS: Final[Mapping[str, tuple[int, int]]] = {
    "table_size": (SEATS_MIN, SEATS_MAX),
    "boards": (1, BOARDS_MAX),
    "rounds": (1, ROUNDS_MAX),
    "entries_max": (2, ENTRIES_MAX),
    "entries_per_owner": (1, ENTRIES_MAX),
    "challengers": (1, ENTRIES_MAX),
    "tables_max": (1, TABLES_MAX),
    "tables_at_once": (1, AT_ONCE_MAX),
    "games_at_once": (1, AT_ONCE_MAX),
}
NULLABLE: Final = frozenset({"rounds", "entries_max"})

_USUAL: Final = Shape(format=Format.SWISS)
"""Its numbers are meant where none are sent, whatever the format."""


def said(name: str) -> dict[str, Any]:
    """The metadata of a field for an option."""
    return {"description": EXPLAINED[name]}


def shape_number(name: str, *, sent: bool = False) -> Whole:
    """A field for a number of a shape; one that is sent has the usual value where it is left out."""
    usual = {"load_default": getattr(_USUAL, name)} if sent else {}
    return Whole(*BOUNDS[name], allow_none=name in NULLABLE, metadata=said(name), **usual)


def shape_flag(name: str, *, sent: bool = False) -> Flag:
    """A field for a flag of a shape, likewise."""
    usual = {"load_default": getattr(_USUAL, name)} if sent else {}
    return Flag(metadata=said(name), **usual)


def read_shape(data: Mapping[str, Any]) -> Shape:
    """Build a shape from the members of a new tournament.

    Raises:
        InvalidRequest: naming the member that cannot be, beside the others.
    """
    numbers = {name: data[name] for name in (*BOUNDS, "duplicate", "seeded")}
    test = data["sequential"]
    try:
        return Shape(
            format=Format(data["format"]),
            scoring=Scoring(data["scoring"]),
            sequential=None if test is None else Sequential(**{**test, "unit": Unit(test["unit"])}),
            **numbers,
        )
    except InvalidShape as error:
        raise InvalidRequest(
            f"/{error.member}", str(error), "compare the request with the description of NewTournament in /openapi.json"
        ) from None


_TEST: Final = {
    "low": "The lead of entry 0 over entry 1, if it is not better.",
    "high": "The lead if it is better; greater than `low`.",
    "unit": "What the two are given in: Elo, or points a game.",
    "alpha": "Chance of finding it better if it is not, at most.",
    "beta": "Chance of not finding it better if it is, at most.",
}


def _told(name: str, *, sent: bool) -> dict[str, Any]:
    usual = {"load_default": str(usual) if isinstance(usual := getattr(Sequential(), name), Unit) else usual}
    return {"metadata": {"description": _TEST[name]}, **(usual if sent else {})}


class SequentialOptions(Request):
    """When a match of two may stop early: a test of one lead against another, decided on complete boards in order."""

    low = Real(-LONGEST_LEAD, LONGEST_LEAD, **_told("low", sent=True))
    high = Real(-LONGEST_LEAD, LONGEST_LEAD, **_told("high", sent=True))
    unit = Word(list(Unit), "Unit", **_told("unit", sent=True))
    alpha = Real(*RISKS, **_told("alpha", sent=True))
    beta = Real(*RISKS, **_told("beta", sent=True))


class SequentialTest(Answer):
    """When a match of two may stop early: a test of one lead against another, decided on complete boards in order."""

    low = Real(-LONGEST_LEAD, LONGEST_LEAD, **_told("low", sent=False))
    high = Real(-LONGEST_LEAD, LONGEST_LEAD, **_told("high", sent=False))
    unit = Word(list(Unit), "Unit", **_told("unit", sent=False))
    alpha = Real(*RISKS, **_told("alpha", sent=False))
    beta = Real(*RISKS, **_told("beta", sent=False))


class SequentialVerdict(Answer):
    """Where the sequential test of a match stands."""

    decision = Word(
        DECISIONS,
        "SequentialDecision",
        metadata={"description": "Whether entry 0 was found to be better, or not to be."},
    )
    llr = fields.Float(metadata={"description": "The logarithm of the likelihood ratio."})
    low = fields.Float(metadata={"description": "At which the test ends against entry 0."})
    high = fields.Float(metadata={"description": "At which it ends for entry 0."})
    boards = Whole(
        0, ROUNDS_MAX, metadata={"description": "How many complete boards it has looked at, in the schedule's order."}
    )
