"""Components of the document that are no objects: words, numbers, lists, choices. Loads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from marshmallow import Schema

from skyjo import ACTION_PATTERN, GONE, PLACES, PRESETS, Cause, Phase, Reason
from skyjo.bots import HOUSE_BOTS
from skyjo.cards import HIGHEST, LOWEST, ROWS
from skyjo.rules import CHOICES
from skyjo_server.http.schemas.events import FACTS
from skyjo_server.http.schemas.games import ENDED, SEAT_REQUESTS
from skyjo_server.http.schemas.problems import WITH_MORE, Problem, urn
from skyjo_server.http.schemas.rules import EXPLAINED, component_of
from skyjo_server.http.schemas.tournament_shape import DECISIONS
from skyjo_server.http.schemas.turns import TURN_STATUSES
from skyjo_server.service import model
from skyjo_server.service.errors import ProblemCode
from skyjo_server.service.replay_model import Perspective
from skyjo_server.service.tournament_model import EntryStatus, TournamentStatus
from skyjo_server.tournaments.standings import TieBreak
from skyjo_server.tournaments.values import Cause as Ending
from skyjo_server.tournaments.values import Format, Outcome, Scoring, Unit

Described = dict[str, Any]


def ref(name: str) -> Described:
    """A reference to a component of this name."""
    return {"$ref": f"#/components/schemas/{name}"}


def _one_of(property_name: str, schemas: Mapping[str, type[Schema]], description: str) -> Described:
    names = {value: schema.__name__ for value, schema in schemas.items()}
    return {
        "description": description,
        "oneOf": [ref(name) for name in names.values()],
        "discriminator": {
            "propertyName": property_name,
            "mapping": {value: ref(name)["$ref"] for value, name in names.items()},
        },
    }


def _word(words: Iterable[str], description: str) -> Described:
    return {"type": "string", "enum": [str(word) for word in words], "description": description}


IN_BATCHES: Final = (ProblemCode.ILLEGAL_ACTION, ProblemCode.STALE_VERSION, ProblemCode.DEADLINE_PASSED)
"""Problems with further members that one action of a batch can have."""

COMPONENTS: Final[dict[str, Described]] = {
    "Action": {
        "type": "string",
        "pattern": ACTION_PATTERN,
        "maxLength": 37,
        "description": "An action. `flip a1 b1` turns up the initial cards, each place once · `take c2` puts the top "
        "discard on c2 · `draw` · `keep c2` puts the drawn card on c2 · `reject c2` discards it and turns up c2 · "
        "`reject`.",
        "examples": ["take c2"],
    },
    "Place": _word(map(str, PLACES), "A place of a grid: column a to d, row 1 to 3."),
    "Phase": _word(Phase, "What a game waits for: initial flips, a turn, a drawn card's place, nothing any more."),
    "Cause": _word(Cause, "Why an event happened."),
    "Reason": _word(Reason, "Why the rules refuse an action."),
    "Preset": _word(PRESETS, "Rules with a name."),
    "Scope": _word(model.Scope, "How far a token reaches; each includes the ones before it."),
    "GameStatus": _word(model.GameStatus, "Where a game stands."),
    "SeatKind": _word(model.SeatKind, "Who sits there: a bot, a bot of the house, nobody yet."),
    "OnTimeout": _word(model.OnTimeout, "What a seat gets whose time runs out: a default action, or it leaves."),
    "TournamentStatus": _word(TournamentStatus, "Where a tournament stands."),
    "EntryStatus": _word(EntryStatus, "Whether an entry is paired."),
    "Format": _word(Format, "Who meets whom."),
    "Scoring": _word(Scoring, "What counts at a table: the order in which its seats end, or by how many points."),
    "Unit": _word(Unit, "What the leads of a sequential test are given in."),
    "Outcome": _word(Outcome, "Where a table stands."),
    "TieBreak": _word(TieBreak, "What tells two entries apart."),
    "SequentialDecision": _word(DECISIONS, "What a sequential test has found: nothing yet, or about entry 0."),
    "HouseBot": _word(sorted(HOUSE_BOTS), "A bot of the house."),
    "Card": {"type": "integer", "minimum": LOWEST, "maximum": HIGHEST, "description": "A card, in points."},
    "Gone": _word([GONE], "A place that a removed row has emptied."),
    "Cell": {
        "description": "What lies at a place: a card; null = face down; or nothing any more.",
        "anyOf": [ref("Card"), ref("Gone"), {"type": "null"}],
    },
    "Column": {
        "type": "array",
        "items": ref("Cell"),
        "minItems": ROWS,
        "maxItems": ROWS,
        "description": "Three places of a grid, top to bottom.",
    },
    "ResultStatus": _word(ENDED, "How a game ended."),
    "Ending": _word(Ending, "How a game ended for a seat."),
    "Perspective": _word(Perspective, "Who a step is shown as: a spectator, or somebody who sees every card."),
    "TurnStatus": _word(TURN_STATUSES, "What became of an action."),
    **{component_of(option): _word(words, EXPLAINED[option]) for option, words in CHOICES.items()},
    "Fact": _one_of("kind", FACTS, "Something that happened."),
    "SeatRequest": _one_of("kind", SEAT_REQUESTS, "What a new game shall have at one seat."),
    "ProblemType": _word(
        (urn(code) for code in ProblemCode if code not in WITH_MORE),
        "A kind of problem with no further members. With the types of the other problems, the list is closed.",
    ),
    "TurnProblem": {
        "description": "Why an action was refused.",
        "oneOf": [*(ref(WITH_MORE[code].__name__) for code in IN_BATCHES), ref(Problem.__name__)],
    },
}
"""Every such component by its name."""

SCHEMAS: Final[tuple[type[Schema], ...]] = (Problem, *FACTS.values(), *SEAT_REQUESTS.values(), *WITH_MORE.values())
"""Schemas that only these components refer to."""
