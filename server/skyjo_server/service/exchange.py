"""Moving finished games between servers: giving them out as records, and taking in what another one has given out.

Nothing comes in that :func:`skyjo.verify` does not prove. Who played is known by name alone: the ids and tokens of one
server mean nothing on another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from skyjo import CorruptLog, GameRecord, verify
from skyjo_server.service.errors import Embargoed, GameNotFinished, NotFound
from skyjo_server.service.games import Games, record_of
from skyjo_server.service.model import ClockRules, GameInfo, GameStatus, Seat, SeatKind
from skyjo_server.service.ports import Archive, GameLog, GameStore, StoredEvent, StoredGame
from skyjo_server.service.replaying import Replay

AT_ONCE: Final = 100


class Exchange:
    """Finished games on their way out and in.

    Args:
        store: where games are found.
        log: where their events are.
        archive: where those that come in are kept.
    """

    def __init__(self, store: GameStore, log: GameLog, archive: Archive) -> None:
        self._store = store
        self._games = Games(store, log)
        self._archive = archive

    def records(self) -> Iterator[GameRecord]:
        """Every game that is over and may be seen, the newest first; embargoed ones are passed over."""
        for status in (GameStatus.FINISHED, GameStatus.VOID, GameStatus.ABORTED):
            cursor = None
            while True:
                page = self._store.games(status, None, None, AT_ONCE, cursor)
                yield from (self._games.record(game.id) for game in page.items if _is_open(game))
                cursor = page.next_cursor
                if cursor is None:
                    break

    def take(self, record: GameRecord) -> bool:
        """Keep a game that was played elsewhere; False if this very game is here already.

        Raises:
            CorruptLog: if it is not proved, has no times, or if there is another game of its id here.
        """
        verify(record)
        game = stored_game(record)
        if self._archive.add(game):
            return True
        try:
            same = self._games.record(record.game) == record_of(game)
        except (Embargoed, GameNotFinished, NotFound):
            same = False
        if not same:
            raise CorruptLog(f"game {record.game}: there is another game of this id here", game=str(record.game))
        return False


def stored_game(record: GameRecord) -> StoredGame:
    """A proved record as it is kept here: its players are strangers, and nothing is known of its clock.

    How long each seat took is reckoned from the times.

    Raises:
        CorruptLog: if an event has no time.
    """
    seats = tuple(Seat(seat, SeatKind.BOT, None, None, None, name) for seat, name in enumerate(record.seats))
    replay = Replay(record, seats, ClockRules())
    events = tuple(_played(record, replay))
    status = GameStatus(record.result.status.value)
    ended = events[-1].at
    info = GameInfo(
        id=record.game,
        status=status,
        rules=record.rules,
        seats=tuple(replace(seat, left=gone) for seat, gone in zip(seats, replay.state.left, strict=True)),
        version=len(events) - 1,
        commitment=record.commitment,
        clock=ClockRules(),
        created_at=events[0].at,
        started_at=events[0].at,
        finished_at=ended,
        result=replay.result(status),
    )
    return StoredGame(info, record.seed, record.entropy or (b"",) * len(seats), events, record.board)


def _played(record: GameRecord, replay: Replay) -> Iterator[StoredEvent]:
    if not record.events:
        raise CorruptLog(f"game {record.game} has no events", game=str(record.game))
    for logged in record.events:
        version = logged.event.version
        if logged.at is None:
            message = (
                f"game {record.game}, event {version}: it has no time; take what 'skyjo server export' has written"
            )
            raise CorruptLog(message, game=str(record.game), version=version)
        at = datetime.fromisoformat(logged.at).astimezone(UTC)
        yield replay.play(logged.event, at, replay.expected_thinking(logged.event, at))


def _is_open(game: GameInfo) -> bool:
    return game.version >= 0 and not game.embargoed
