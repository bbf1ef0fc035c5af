"""The laws for users' bots find every bot that breaks one, and no other."""

from __future__ import annotations

import pytest

from skyjo import Action, Decision, Phase
from skyjo_client.bots import default_of
from skyjo_client.testing import BotCheckFailed, check_bot


class Forgetful:
    """A bot that needs to have seen the game from its beginning, and so cannot be restarted."""

    def __init__(self) -> None:
        self.first_version: int | None = None

    def choose(self, decision: Decision) -> Action:
        if self.first_version is None:
            self.first_version = decision.version
        if self.first_version > 10:
            raise RuntimeError("I did not see the beginning")
        return default_of(decision)


def cheating(decision: Decision) -> Action:
    """A bot that tidies up what it was shown."""
    object.__setattr__(decision, "discard_pile", ())
    return default_of(decision)


def stubborn(decision: Decision) -> str:
    """A bot that never keeps what it drew, even where there is nothing left to flip."""
    return "reject a1" if decision.phase is Phase.DRAWN else str(default_of(decision))


def untimed(decision: Decision) -> Action:
    """A bot that knows no clock."""
    if decision.deadline is not None:
        raise ValueError("what is a deadline?")
    return default_of(decision)


def test_a_bot_that_keeps_the_laws_is_asked_in_every_phase() -> None:
    report = check_bot(default_of)
    assert report.games == 20
    assert min(report.decisions.values()) > 0


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        (lambda _: "draw", "the bot chose 'draw', which is not legal"),
        (lambda _: None, "the bot chose None"),
        (Forgetful, "I did not see the beginning"),
        (cheating, "changed the decision in version"),
        (stubborn, "the bot chose 'reject a1', which is not legal"),
        (untimed, "what is a deadline?"),
    ],
)
def test_a_bot_that_breaks_a_law_is_found(bot: object, said: str) -> None:
    with pytest.raises(BotCheckFailed) as caught:
        check_bot(bot)  # type: ignore[arg-type]  # some of these are no bots, which is the point
    assert said in str(caught.value)


def test_a_failure_can_be_seen_again_by_its_seed_alone() -> None:
    with pytest.raises(BotCheckFailed) as caught:
        check_bot(stubborn)
    with pytest.raises(BotCheckFailed) as again:
        check_bot(stubborn, seeds=[caught.value.seed])
    assert str(again.value) == str(caught.value)
    assert f"check_bot(bot, seeds=[{caught.value.seed}])" in str(caught.value)
