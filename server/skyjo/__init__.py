"""The game of Skyjo, pure: rules, shuffles, views, replays. No clock, no input or output, standard library only.

Start with :class:`RuleSet`, :func:`start`, :func:`decide` and :func:`evolve`; what a player may see is a
:class:`Decision`, and a game that is over is a :class:`GameRecord`.
"""

from skyjo.actions import ACTION_PATTERN, Action, Verb
from skyjo.cards import COPIES, DECK
from skyjo.engine import decide, decide_leave, forced_seat, start
from skyjo.errors import CorruptLog, IllegalAction, InvalidRules, InvalidText, Reason, SkyjoError
from skyjo.evolution import evolve, replay
from skyjo.export import read_jsonl, write_jsonl
from skyjo.facts import Cause, Event
from skyjo.legal import LegalActions, default_action, legal_actions
from skyjo.places import PLACES, Place
from skyjo.record import GameRecord, LoggedEvent, Result, Status
from skyjo.rules import PRESETS, RuleSet
from skyjo.shuffle import Chance, FairChance, commitment, shuffle_key
from skyjo.state import Grid, Phase, State, initial_state
from skyjo.transcript import read_transcript, write_transcript
from skyjo.verify import verify
from skyjo.view import GONE, Decision, SeatView, SeenEvent, decision, full_event, seen_event

__all__ = [
    "ACTION_PATTERN",
    "COPIES",
    "DECK",
    "GONE",
    "PLACES",
    "PRESETS",
    "Action",
    "Cause",
    "Chance",
    "CorruptLog",
    "Decision",
    "Event",
    "FairChance",
    "GameRecord",
    "Grid",
    "IllegalAction",
    "InvalidRules",
    "InvalidText",
    "LegalActions",
    "LoggedEvent",
    "Phase",
    "Place",
    "Reason",
    "Result",
    "RuleSet",
    "SeatView",
    "SeenEvent",
    "SkyjoError",
    "State",
    "Status",
    "Verb",
    "commitment",
    "decide",
    "decide_leave",
    "decision",
    "default_action",
    "evolve",
    "forced_seat",
    "full_event",
    "initial_state",
    "legal_actions",
    "read_jsonl",
    "read_transcript",
    "replay",
    "seen_event",
    "shuffle_key",
    "start",
    "verify",
    "write_jsonl",
    "write_transcript",
]
