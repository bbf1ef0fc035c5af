"""Compares what bots were told with what is in the log, and proves the log itself. Changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from skyjo import Cause, read_jsonl, verify
from skyjo.record import GameRecord
from skyjo_client import Client, Played, Refused, StaleVersion
from tests.faults.playing import Account, Run

Moves = list[tuple[int, str]]
"""Version and action of what one seat has played, in order."""


def proved(url: str, game: str) -> GameRecord:
    """Export a game that is over, and prove it: every card, every score and every hash follows from its seed."""
    with Client(url) as client:
        (record,) = read_jsonl(client.games.export(game))
    verify(record)
    assert [event.version for event in record.bare_events()] == list(range(len(record.events)))
    return record


def played_by(record: GameRecord, account: Account) -> Moves:
    """What a bot has played itself, as the log has it."""
    seat = record.seats.index(account.name)
    return [
        (event.version, str(event.action))
        for event in record.bare_events()
        if event.seat == seat and event.cause is Cause.PLAYER and event.action is not None
    ]


def told(run: Run, game: str) -> Moves:
    """What a bot was told to have been played in a game, each answer counted."""
    return sorted(_told(run.played, game))


def _told(played: Iterable[Played], game: str) -> Iterable[tuple[int, str]]:
    for event in played:
        if event.submission.game == game:
            assert event.version is not None
            yield event.version, str(event.submission.action)


def assert_told_what_is_logged(url: str, runs: Iterable[Run], games: Iterable[str]) -> int:
    """Hold the log of each game against what its bots were told: each action once on both sides; give their number."""
    runs, moves = list(runs), 0
    for game in games:
        record = proved(url, game)
        for run in runs:
            if run.account.name in record.seats:
                assert told(run, game) == played_by(record, run.account)
                moves += len(told(run, game))
    return moves


def assert_keys_used_once(runs: Iterable[Run]) -> None:
    """See that no submission was answered twice, and that what was refused was refused for having come second."""
    for run in runs:
        keys = Counter(event.submission.key for event in run.events if isinstance(event, Played | Refused))
        assert set(keys.values()) <= {1}
        assert all(isinstance(event.error, StaleVersion) for event in run.refused)
