"""The bot's side of a run: from the decisions that wait to the actions to submit. Sends nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from skyjo import Action, Decision
from skyjo_client.bots import BotLike, Choose, choices_of, chosen, default_of
from skyjo_client.errors import BotError
from skyjo_client.runs import BotFailed, OnBotError, OnEvent
from skyjo_client.submissions import Submission


@dataclass
class Answers:
    """What comes of some decisions: what to play, and the games to resign."""

    submissions: list[Submission] = field(default_factory=list)
    resignations: list[str] = field(default_factory=list)


class Players:
    """A bot in all its games.

    Args:
        bot: what chooses.
        on_bot_error: what to do when it raises or chooses what is not legal.
        on_event: is told when it does, unless that ends the run.
    """

    def __init__(self, bot: BotLike, on_bot_error: OnBotError, on_event: OnEvent) -> None:
        self._new_choice = choices_of(bot)
        self._choices: dict[str, Choose] = {}
        self._on_bot_error = on_bot_error
        self._on_event = on_event

    def __len__(self) -> int:
        """How many games it remembers."""
        return len(self._choices)

    def answer(self, decisions: Iterable[Decision], is_late: Callable[[], bool]) -> Answers:
        """Choose in one game after the other, until it is late; what is left then is asked for again.

        Raises:
            BotError: if the bot fails and failing is to end the run.
        """
        answers = Answers()
        for decision in decisions:
            action = self._choose(decision)
            if action is None:
                answers.resignations.append(decision.game)
            else:
                answers.submissions.append(Submission.answering(decision, action))
            if is_late():
                break
        return answers

    def forget_all_but(self, games: Collection[str]) -> None:
        """Let go of what was remembered for other games than these."""
        self._choices = {game: choice for game, choice in self._choices.items() if game in games}

    def _choose(self, decision: Decision) -> Action | None:
        """The action to play; None to resign."""
        choice = self._choices.get(decision.game) or self._choices.setdefault(decision.game, self._new_choice())
        try:
            return chosen(choice, decision)
        except BotError as error:
            if self._on_bot_error == "stop":
                raise
            self._on_event(BotFailed(error, self._on_bot_error))
        return default_of(decision) if self._on_bot_error == "default" else None
