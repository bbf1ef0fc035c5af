"""The options of a game, validated once and then fixed. Holds no game logic."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, get_args

from skyjo.errors import InvalidRules

InitialFlipChoice = Literal["player", "random"]
FirstStarter = Literal["highest_sum", "lowest_seat", "random"]
StarterTie = Literal["lowest_seat", "random"]
NextStarter = Literal["ender", "winner", "highest_sum", "rotate"]
FlipAfterReject = Literal["required", "optional"]
FinalRemoval = Literal["mandatory", "beneficial", "never"]
DrawStreams = Literal["shared", "per_seat"]

CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "initial_flip_choice": get_args(InitialFlipChoice),
    "first_starter": get_args(FirstStarter),
    "starter_tie": get_args(StarterTie),
    "next_starter": get_args(NextStarter),
    "flip_after_reject": get_args(FlipAfterReject),
    "final_removal": get_args(FinalRemoval),
    "draw_streams": get_args(DrawStreams),
}
"""Options that are one of a few words."""

FLAGS: Final = ("remove_columns", "remove_rows", "double_on_tie", "double_non_positive")
"""Options that are true or false."""

BOUNDS: Final[dict[str, tuple[int, int]]] = {
    "initial_flips": (0, 11),
    "ender_multiplier": (1, 100),
    "score_limit": (1, 1_000_000),
    "max_rounds": (1, 10_000),
    "max_turns_per_seat": (1, 1_000_000),
}
"""Options that are whole numbers, with the least and greatest value."""

NULLABLE: Final = ("score_limit", "max_rounds", "max_turns_per_seat")
"""Options that can be switched off with None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """Every option of a game. The defaults are the preset ``classic``.

    Raises:
        InvalidRules: at creation, naming the option, its value and what it can be.
    """

    initial_flips: int = 2
    initial_flip_choice: InitialFlipChoice = "player"
    first_starter: FirstStarter = "highest_sum"
    starter_tie: StarterTie = "lowest_seat"
    next_starter: NextStarter = "ender"
    flip_after_reject: FlipAfterReject = "required"
    remove_columns: bool = True
    remove_rows: bool = False
    final_removal: FinalRemoval = "mandatory"
    ender_multiplier: int = 2
    double_on_tie: bool = True
    double_non_positive: bool = False
    score_limit: int | None = 100
    max_rounds: int | None = None
    draw_streams: DrawStreams = "shared"
    max_turns_per_seat: int | None = 200

    def __post_init__(self) -> None:
        for option in fields(self):
            _check_option(option.name, getattr(self, option.name))
        if self.score_limit is None and self.max_rounds is None:
            raise InvalidRules(
                "max_rounds", "score_limit and max_rounds are both none: the game would never end; set one"
            )

    @classmethod
    def preset(cls, name: str) -> RuleSet:
        """The rules of a preset.

        Raises:
            InvalidRules: if there is no preset of that name.
        """
        try:
            return PRESETS[name]
        except (KeyError, TypeError):
            raise InvalidRules("preset", f"{name!r} is no preset: choose one of {', '.join(PRESETS)}") from None

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> RuleSet:
        """Build rules from some or all options; missing ones are those of ``classic``.

        Raises:
            InvalidRules: for an unknown option or a value out of bounds.
        """
        known = {option.name for option in fields(cls)}
        for name in options:
            if name not in known:
                raise InvalidRules(str(name), f"{name!r} is no option: the options are {', '.join(sorted(known))}")
        return cls(**options)

    def to_dict(self) -> dict[str, Any]:
        """Every option by name, JSON-ready."""
        # dataclasses.asdict would copy each value as if it could be deep, and take ten times as long.
        return {name: getattr(self, name) for name in _OPTIONS}

    @property
    def name(self) -> str | None:
        """The preset with exactly these options, None for house rules."""
        return next((name for name, rules in PRESETS.items() if rules == self), None)

    @property
    def canonical_name(self) -> str:
        """What a shuffle commits to: the preset's name, else all options as canonical JSON."""
        return self.name or json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _check_option(name: str, value: object) -> None:
    if name in CHOICES:
        valid, wanted = isinstance(value, str) and value in CHOICES[name], "one of " + ", ".join(CHOICES[name])
    elif name in FLAGS:
        valid, wanted = isinstance(value, bool), "true or false"
    else:
        valid, wanted = _in_bounds(name, value)
    if not valid:
        raise InvalidRules(name, f"{name} is {value!r}, but must be {wanted}")


def _in_bounds(name: str, value: object) -> tuple[bool, str]:
    low, high = BOUNDS[name]
    wanted = f"a whole number from {low} to {high}"
    if name in NULLABLE:
        wanted += ", or none"
        if value is None:
            return True, wanted
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high, wanted


_OPTIONS: Final = tuple(option.name for option in fields(RuleSet))

PRESETS: Final[dict[str, RuleSet]] = {
    "classic": RuleSet(),
    "french": RuleSet(
        next_starter="winner", flip_after_reject="optional", final_removal="beneficial", double_on_tie=False
    ),
}
"""The presets by name."""
