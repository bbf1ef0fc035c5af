"""`skyjo analyse`: where each seat of a finished game lost points. The reckoning is `skyjo.analysis`; this shows it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Annotated, Final
from uuid import UUID

import typer
from rich.markup import escape
from rich.table import Table

from skyjo import CorruptLog, GameRecord, InvalidText, verify
from skyjo.analysis import ScoredDecision
from skyjo.analysis import analyse as scores_of
from skyjo_server.cli.output import EXIT_USAGE, OUT, CommandFailed
from skyjo_server.cli.records import open_records

WORST: Final = 5


def analyse(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Games as JSON Lines or transcripts.")],
    game: Annotated[UUID | None, typer.Option(help="Only the game of this id.")] = None,
    worst: Annotated[int, typer.Option(help="How many of each seat's dearest decisions to show.", min=0)] = WORST,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a game, each on its line.")] = False,
) -> None:
    """Score each seat's decisions by what `greedy` expects of them: what was best, and what the played one cost.

    A decision is judged by what its seat could know. Of several games, each player's mean over all of them is shown.
    """
    games = ((record, scores_of(record)) for record in _proved(path, game))
    first, second = next(games, None), next(games, None)
    if first is None:
        raise CommandFailed(f"{path} has {'no game' if game is None else f'no game {game}'}", code=EXIT_USAGE)
    if as_json:
        for record, scored in chain((first,), () if second is None else (second,), games):
            _print_line(record, scored)
    elif second is None:
        _print_game(*first, worst)
    else:
        _print_players(chain((first, second), games))


def _proved(path: Path, game: UUID | None) -> Iterator[GameRecord]:
    """The games that are asked for, each proved before it is given: what did not happen is not analysed."""
    try:
        for record in open_records(path):
            if game in {None, record.game}:
                verify(record)
                yield record
    except (InvalidText, CorruptLog) as error:
        raise CommandFailed(f"{path}: {error}", "a game that does not verify is not analysed") from error


def _print_line(record: GameRecord, scored: Iterable[ScoredDecision]) -> None:
    line = {"game": str(record.game), "decisions": [decision.to_dict() for decision in scored]}
    sys.stdout.write(json.dumps(line, separators=(",", ":")) + "\n")


def _print_game(record: GameRecord, scored: tuple[ScoredDecision, ...], worst: int) -> None:
    OUT.print(f"game {record.game}", markup=False)
    for seat, name in enumerate(record.seats):
        own = [decision for decision in scored if decision.seat == seat]
        points = sum(decision.cost for decision in own)
        mean = points / len(own) if own else 0.0
        OUT.print(f"\n{seat}: {name}   {len(own)} decisions, {points:.1f} points lost, {mean:.2f} each", markup=False)
        dearest = sorted((decision for decision in own if decision.cost > 0), key=lambda one: -one.cost)[:worst]
        if dearest:
            OUT.print(_table(dearest))


def _table(decisions: Iterable[ScoredDecision]) -> Table:
    table = Table("step", "played", "best", "cost")
    for decision in decisions:
        table.add_row(str(decision.version), str(decision.played), str(decision.best), f"{decision.cost:.2f}")
    return table


@dataclass(slots=True)
class _Player:
    """What the decisions of one player cost over many games."""

    games: set[UUID] = field(default_factory=set)
    decisions: int = 0
    points: float = 0.0
    worst: tuple[float, UUID | None, int] = (0.0, None, 0)

    def add(self, game: UUID, decision: ScoredDecision) -> None:
        """Count one decision more."""
        self.games.add(game)
        self.decisions += 1
        self.points += decision.cost
        if decision.cost > self.worst[0]:
            self.worst = (decision.cost, game, decision.version)


def _print_players(games: Iterable[tuple[GameRecord, tuple[ScoredDecision, ...]]]) -> None:
    players: dict[str, _Player] = {}
    for record, scored in games:
        for decision in scored:
            players.setdefault(record.seats[decision.seat], _Player()).add(record.game, decision)
    table, dearest = Table("player", "games", "decisions", "cost each", "points lost a game"), []
    for name, player in sorted(players.items(), key=lambda item: item[1].points / item[1].decisions):
        means = (f"{player.points / player.decisions:.3f}", f"{player.points / len(player.games):.1f}")
        table.add_row(escape(name), str(len(player.games)), str(player.decisions), *means)
        cost, game, version = player.worst
        if game is not None:
            dearest.append(f"dearest of {name}: {cost:.1f} points, step {version} of game {game}")
    OUT.print(table)
    for line in dearest:
        OUT.print(line, markup=False)
