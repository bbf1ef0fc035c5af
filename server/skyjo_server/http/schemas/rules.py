"""The options of a game as they are sent and shown. Which values they take, the rules package says."""

from __future__ import annotations

from dataclasses import fields as members
from typing import Any, Final

from marshmallow import fields

from skyjo import PRESETS, InvalidRules, RuleSet
from skyjo.rules import BOUNDS, CHOICES, FLAGS, NULLABLE
from skyjo_server.http.fields import Flag, Whole, Word, refuse
from skyjo_server.http.schemas.base import Answer, Request
from skyjo_server.service.errors import RulesInvalid

EXPLAINED: Final = {
    "initial_flips": "How many cards each seat turns up when a round begins.",
    "initial_flip_choice": "Who chooses them.",
    "first_starter": "Which seat opens the first round: the highest sum of turned cards, the lowest seat, or chance.",
    "starter_tie": "Which of several seats with the highest sum opens.",
    "next_starter": "Which seat opens later rounds: who ended the last one, its winner, or as the other words say.",
    "flip_after_reject": "Whether whoever rejects a drawn card must turn up a hidden card of its own.",
    "remove_columns": "Whether three equal open cards in a column leave the grid.",
    "remove_rows": "Whether four equal open cards in a row leave it too.",
    "final_removal": "Whether lines that are complete when everything is turned up at the end of a round leave.",
    "ender_multiplier": "By how much the ender's score is multiplied if it is not the lowest.",
    "double_on_tie": "Whether it is multiplied too if it is the lowest together with another.",
    "double_non_positive": "Whether it is multiplied too if it is not positive.",
    "score_limit": "The total that ends the game; null = none.",
    "max_rounds": "The number of rounds that ends the game; null = no limit.",
    "draw_streams": "Whether the seats draw from one pile, or each from a share of its own.",
    "max_turns_per_seat": "Turns of one seat that end a round which nobody has ended; null = no limit.",
}
"""What the description says of each option."""


def component_of(option: str) -> str:
    """The component that describes the words of an option.

    >>> component_of("draw_streams")
    'DrawStreams'
    """
    return option.title().replace("_", "")


def _option(name: str) -> fields.Field[Any]:
    # An absent option has no default of its own: it is as the preset says.
    described: dict[str, Any] = {"metadata": {"description": EXPLAINED[name]}}
    if name in CHOICES:
        return Word(CHOICES[name], component_of(name), **described)
    if name in FLAGS:
        return Flag(**described)
    return Whole(*BOUNDS[name], allow_none=name in NULLABLE, **described)


def _options() -> dict[str, fields.Field[Any]]:
    return {option.name: _option(option.name) for option in members(RuleSet)}


# Their members come from the rules package's own tables, so that an option cannot be forgotten here.
Rules: Final = Answer.from_dict(_options(), name="Rules")
Rules.__doc__ = "Every option of a game's rules."
RuleOptions: Final = Request.from_dict(_options(), name="RuleOptions")
RuleOptions.__doc__ = "Options that shall differ from the preset's; an absent one is as the preset has it."


class RuleOptionsField(fields.Nested):
    """Options that the rules package itself reads."""

    def __init__(self, **options: Any) -> None:
        super().__init__(RuleOptions, **options)

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            refuse("an object with options", value)
        return value


def read_rules(preset: str | None, options: dict[str, Any]) -> RuleSet:
    """Build rules from a preset's options, ``classic`` if none is named, and those that shall differ.

    Raises:
        RulesInvalid: naming the option.
    """
    try:
        return RuleSet.from_dict({**PRESETS[preset or "classic"].to_dict(), **options})
    except InvalidRules as error:
        raise RulesInvalid(error) from None
