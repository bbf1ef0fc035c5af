"""Games between bots on this machine, without a service: the same rules and the same views as a service gives.

Everything that chance decides follows from the seed and the number of the game, and from nothing that a bot does: the
same arena plays the same deals, whatever the bots, the number of processes and the order in which they finish.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from hmac import digest
from typing import Final, Literal
from uuid import UUID

from skyjo import (
    Action,
    Cause,
    Event,
    FairChance,
    GameRecord,
    LoggedEvent,
    Phase,
    Result,
    RuleSet,
    Status,
    commitment,
    decide,
    decide_leave,
    decision,
    default_action,
    evolve,
    forced_seat,
    initial_state,
    shuffle_key,
    start,
)
from skyjo.cards import SEATS_MAX, SEATS_MIN
from skyjo.shuffle import WordStream
from skyjo.twin import Twin
from skyjo_client.bots import Choose, chosen
from skyjo_client.errors import BotError
from skyjo_client.loading import NamedBot, named_bots

OnArenaError = Literal["stop", "forfeit"]
"""What a bot's failure does: it ends the arena with the BotError, or the bot leaves that game."""

GAMES_PER_TASK: Final = 8
"""Games that are handed to another process at a time."""


@dataclass(frozen=True, slots=True)
class ArenaGame:
    """A game that was played.

    Attributes:
        number: 0, 1 … in the order of the arena.
        game: its id.
        seats: the bots' names by seat.
        totals: points by seat.
        ranks: by seat, 1 first.
        rounds: how many were scored.
        actions: how many were played.
        record: the whole game, if records were asked for.
    """

    number: int
    game: UUID
    seats: tuple[str, ...]
    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    rounds: int
    actions: int
    record: GameRecord | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """How a bot did. A first rank that is shared counts in equal parts as a win; low points are good."""

    name: str
    games: int
    wins: float
    mean_rank: float
    mean_points: float

    @property
    def win_rate(self) -> float:
        """Wins a game, 0 to 1."""
        return self.wins / self.games if self.games else 0.0


class Arena:
    """Bots that play each other, all at one table, seats taken in turn.

    Args:
        bots: 2 to 8; the seat of each moves on by one with every game.
        rules: the options; `classic` if none.
        seed: any text; decides every deal and the house bots' choices.
        on_bot_error: what a bot's failure does.
    Raises:
        ValueError: for too few or too many bots.

    >>> from skyjo_client import load_bot
    >>> arena = Arena([load_bot("random"), load_bot("random")], rules=RuleSet(max_rounds=1), seed="docs")
    >>> [game.seats for game in arena.play(2)]
    [('random', 'random-2'), ('random-2', 'random')]
    """

    def __init__(
        self,
        bots: Sequence[NamedBot],
        *,
        rules: RuleSet | None = None,
        seed: str = "",
        on_bot_error: OnArenaError = "stop",
    ) -> None:
        if not SEATS_MIN <= len(bots) <= SEATS_MAX:
            raise ValueError(f"{len(bots)} bots: a table has {SEATS_MIN} to {SEATS_MAX}")
        self.bots = tuple(named_bots(list(bots)))
        self.rules = rules or RuleSet()
        self.seed = seed
        self.on_bot_error: OnArenaError = on_bot_error

    def play(
        self, games: int, *, first: int = 0, executor: Executor | None = None, records: bool = False
    ) -> Iterator[ArenaGame]:
        """Play games, and give them in order.

        Args:
            games: how many.
            first: number of the first one.
            executor: plays them elsewhere, in processes or on other machines; the results are the same. The bots must
                be found by name there, or be such as can be sent.
            records: whether to keep every game whole.
        Raises:
            BotError: if a bot fails and that is to end the arena; names the bot, the game and the version.
        """
        numbers = range(first, first + games)
        task = partial(_play_some, self, records)
        if executor is None:
            for number in numbers:
                yield from task((number,))
            return
        tasks = [tuple(numbers[index : index + GAMES_PER_TASK]) for index in range(0, games, GAMES_PER_TASK)]
        for played in executor.map(task, tasks):
            yield from played

    def play_one(self, number: int, *, record: bool = False) -> ArenaGame:
        """Play the game of a number."""
        return _Game(self, number).play(record=record)


def standings(games: Sequence[ArenaGame]) -> tuple[Standing, ...]:
    """How each bot did: by wins, then by mean rank, then by points."""
    rows: dict[str, list[tuple[float, int, int]]] = {}
    for game in games:
        for name, rank, total in zip(game.seats, game.ranks, game.totals, strict=True):
            win = 1 / game.ranks.count(1) if rank == 1 else 0.0
            rows.setdefault(name, []).append((win, rank, total))
    made = [
        Standing(name, len(kept), *(sum(column) / divisor for column, divisor in _columns(kept)))
        for name, kept in rows.items()
    ]
    return tuple(sorted(made, key=lambda row: (-row.win_rate, row.mean_rank, row.mean_points, row.name)))


def _columns(kept: list[tuple[float, int, int]]) -> Iterator[tuple[tuple[float, ...], int]]:
    wins, ranks, totals = zip(*kept, strict=True)
    yield wins, 1
    yield ranks, len(kept)
    yield totals, len(kept)


def _play_some(arena: Arena, records: bool, numbers: Sequence[int]) -> list[ArenaGame]:
    return [arena.play_one(number, record=records) for number in numbers]


@dataclass(frozen=True, slots=True)
class _Deed:
    """What a seat did: played an action, or left."""

    seat: int
    action: Action | None
    cause: Cause


class _Game:
    """One game in the course of being played: on the twin, with a list of deeds from which the events follow."""

    def __init__(self, arena: Arena, number: int) -> None:
        self._arena = arena
        self._number = number
        shift = number % len(arena.bots)
        self._bots = arena.bots[shift:] + arena.bots[:shift]
        self.id = UUID(bytes=_derived(arena.seed, "game", number)[:16], version=4)
        self._name = str(self.id)
        self._seed = _derived(arena.seed, "seed", number)
        self._chance = FairChance(shuffle_key(self._seed, self.id, arena.rules.canonical_name))
        self._choices = [self._choice(seat) for seat in range(len(self._bots))]
        self._deeds: list[_Deed] = []
        self._table = Twin(arena.rules, len(self._bots), self._chance)

    def play(self, *, record: bool) -> ArenaGame:
        """Play to the end."""
        table = self._table
        while table.phase is not Phase.OVER:
            forced = forced_seat(table)
            if forced is None:
                self._move(table.to_act[0])
            else:
                self._play(forced, default_action(table, forced), Cause.FORFEIT)
        return ArenaGame(
            number=self._number,
            game=self.id,
            seats=self._names,
            totals=table.totals,
            ranks=table.ranks or (),
            rounds=len(table.rounds),
            actions=len(self._deeds),
            record=self._record() if record else None,
        )

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(bot.name for bot in self._bots)

    def _choice(self, seat: int) -> Choose:
        label = b"skyjo-arena-bot/1\0" + bytes([seat])
        return self._bots[seat].player(WordStream(_derived(self._arena.seed, "bot", self._number), label))

    def _move(self, seat: int) -> None:
        try:
            action = chosen(self._choices[seat], decision(self._table, seat, game=self._name))
        except BotError as error:
            if self._arena.on_bot_error == "stop":
                raise BotError(f"{self._bots[seat].name}: {error}", error.decision, error.action) from error.__cause__
            self._table.leave(seat)
            self._deeds.append(_Deed(seat, None, Cause.FORFEIT))
        else:
            self._play(seat, action, Cause.PLAYER)

    def _play(self, seat: int, action: Action, cause: Cause) -> None:
        self._table.play(seat, action)
        self._deeds.append(_Deed(seat, action, cause))

    def _events(self) -> Iterator[Event]:
        """The log, from the same chance and the same deeds."""
        rules, seats = self._arena.rules, len(self._bots)
        event, state = start(rules, seats, self._chance), initial_state(rules, seats)
        for deed in self._deeds:
            yield event
            state = evolve(state, event)
            if deed.action is None:
                event = decide_leave(state, deed.seat, deed.cause)
            else:
                event = decide(state, deed.seat, deed.action, self._chance, deed.cause)
        yield event

    def _record(self) -> GameRecord:
        rules, table = self._arena.rules, self._table
        return GameRecord(
            game=self.id,
            rules=rules,
            seats=self._names,
            commitment=commitment(self._seed, self.id, rules.canonical_name),
            seed=self._seed,
            entropy=(),
            events=tuple(LoggedEvent(event) for event in self._events()),
            result=Result(Status.FINISHED, table.totals, table.ranks),
        )


def _derived(seed: str, purpose: str, number: int) -> bytes:
    """32 bytes that belong to one purpose in one game."""
    return digest(seed.encode(), f"skyjo-arena/1\0{purpose}\0{number}".encode(), "sha256")
