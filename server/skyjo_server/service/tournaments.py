"""Tournaments as callers use them: creating, entering, leaving, steering, reading. Moves nothing on by itself.

Who steers an event is the owner that created it, or an admin. Everything that changes one happens under its lock.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, TypeVar
from uuid import UUID, uuid4

from skyjo.boards import event_commitment
from skyjo.shuffle import SEED_BYTES
from skyjo_server.service import tournament_steering as steering
from skyjo_server.service.errors import Forbidden, GameOver, NotFound, TableNotPlaying
from skyjo_server.service.games import own_bot
from skyjo_server.service.hub import Hub
from skyjo_server.service.model import Caller, GameStatus, Page, Scope
from skyjo_server.service.play import Play
from skyjo_server.service.ports import GameStore
from skyjo_server.service.tournament_entry import WITHDRAWN, admit
from skyjo_server.service.tournament_model import (
    CROSSTABLE_MOST,
    Crosstable,
    EntryInfo,
    EntryStatus,
    LeaderboardRow,
    NewTournament,
    StandingRow,
    TableInfo,
    TournamentEvent,
    TournamentEventPage,
    TournamentInfo,
    TournamentStatus,
)
from skyjo_server.service.tournament_ports import Book, NewStoredTournament, TournamentStore
from skyjo_server.service.tournament_runner import Runner
from skyjo_server.tournaments.values import Outcome

_SECRET: Final = {"paired": ("boards",)}
"""Members of the log's events that stay in the service: which tables share a board, while it may be in play."""

_Item = TypeVar("_Item")


class Tournaments:
    """Every use case of tournaments.

    Args:
        store: where events are kept.
        games: where bots are found.
        play: stops games.
        hub: wakes those who wait for an event's log.
        runner: moves events on; told when one has something to do.
    """

    def __init__(self, store: TournamentStore, games: GameStore, play: Play, hub: Hub, runner: Runner) -> None:
        self._store = store
        self._games = games
        self._play = play
        self._hub = hub
        self._runner = runner

    def create(self, caller: Caller, wanted: NewTournament, key: str | None) -> TournamentInfo:
        """A new event, open for entries; with a key that came before, the event that it created then.

        Raises:
            Forbidden: for a caller that is no organiser.
            InvalidRequest, RulesInvalid: for options that cannot be.
            KeyReused: if the key came with other options.
        """
        _refuse_bots(caller)
        played = steering.checked(wanted)
        seed, tournament_id = os.urandom(SEED_BYTES), uuid4()
        new = NewStoredTournament(
            tournament_id=tournament_id,
            owner_id=caller.owner_id,
            new=played,
            seed=seed,
            commitment=event_commitment(seed, tournament_id),
            key=key,
        )
        return self.tournament(self._store.create(new, steering.enter_house_bots))

    def tournament(self, tournament_id: UUID) -> TournamentInfo:
        """An event. Raises NotFound."""
        info = self._store.tournament(tournament_id)
        if info is None:
            raise NotFound
        return info

    def tournaments(self, status: TournamentStatus | None, limit: int, cursor: str | None) -> Page[TournamentInfo]:
        """Events, newest first. Raises InvalidRequest for a cursor that is none."""
        return self._store.tournaments(status, limit, cursor)

    def enter(self, caller: Caller, tournament_id: UUID, bot_id: UUID | None) -> EntryInfo:
        """Enter a bot of the caller's; its token's own if none is named. Entering twice is harmless.

        Raises:
            NotFound: no such event, or no such bot of the caller's.
            EntryClosed, EntryLimit, AlreadyEntered, TournamentOver: it cannot enter.
        """
        wanted, name = own_bot(self._games, caller, bot_id)
        with self._changed(tournament_id) as book:
            return admit(book, wanted, caller.owner_id, name).info

    def withdraw(self, caller: Caller, tournament_id: UUID, bot_id: UUID | None) -> EntryInfo:
        """Take a bot of the caller's out: it is never paired again once this has returned. Harmless if it is out.

        Raises:
            NotFound: no such event, no such bot of the caller's, or it is not entered.
            TournamentOver: nothing can be changed.
        """
        wanted, _ = own_bot(self._games, caller, bot_id)
        with self._changed(tournament_id) as book:
            entry = book.entry_of(wanted)
            if entry is None:
                raise NotFound
            return steering.taken_out(book, entry.info, EntryStatus.WITHDRAWN, WITHDRAWN)

    def disqualify(self, caller: Caller, tournament_id: UUID, entry: int, reason: str) -> EntryInfo:
        """Take an entry out, as the organiser.

        Raises:
            Forbidden, NotFound: the caller does not steer this event, or there is no such entry.
            TournamentOver: nothing can be changed.
        """
        self._refuse_foreign(caller, tournament_id)
        with self._changed(tournament_id) as book:
            found = book.entries([entry])
            if not found:
                raise NotFound
            return steering.taken_out(book, found[0].info, EntryStatus.DISQUALIFIED, reason)

    def start(self, caller: Caller, tournament_id: UUID) -> TournamentInfo:
        """Begin; harmless if it has begun.

        Raises:
            Forbidden, NotFound: the caller does not steer this event.
            TooFewEntries, TournamentOver: it cannot begin.
        """
        return self._steer(caller, tournament_id, steering.start)

    def pause(self, caller: Caller, tournament_id: UUID) -> TournamentInfo:
        """Begin no more games until it is resumed; raises TournamentNotStarted or TournamentOver, and as `start`."""
        return self._steer(caller, tournament_id, steering.pause)

    def resume(self, caller: Caller, tournament_id: UUID) -> TournamentInfo:
        """Go on after a pause; raises TournamentNotStarted or TournamentOver, and as `start`."""
        return self._steer(caller, tournament_id, steering.resume)

    def abort(self, caller: Caller, tournament_id: UUID) -> TournamentInfo:
        """End at once; harmless if that was done before. Raises TournamentOver if it is finished, and as `start`."""
        return self._steer(caller, tournament_id, steering.abort)

    def entries(self, tournament_id: UUID, limit: int, cursor: str | None) -> Page[EntryInfo]:
        """Entries in order of entry. Raises NotFound, or InvalidRequest for a cursor that is none."""
        return self._found(tournament_id, self._store.entries(tournament_id, limit, cursor))

    def tables(
        self,
        tournament_id: UUID,
        round_number: int | None,
        entry: int | None,
        outcome: Outcome | None,
        limit: int,
        cursor: str | None,
    ) -> Page[TableInfo]:
        """The schedule in order. Raises as `entries`."""
        return self._found(
            tournament_id, self._store.tables(tournament_id, round_number, entry, outcome, limit, cursor)
        )

    def void_table(self, caller: Caller, tournament_id: UUID, round_number: int, table: int) -> TableInfo:
        """Declare the game that is played at a table void; it is replayed on a deal of its own.

        Raises:
            Forbidden, NotFound: the caller does not steer this event, or there is no such table.
            TableNotPlaying: there is no game that could be stopped.
        """
        self._refuse_foreign(caller, tournament_id)
        found = self._store.table(tournament_id, round_number, table, None)
        if found is None:
            raise NotFound
        if found.outcome is not Outcome.PLAYING or found.game_id is None:
            raise TableNotPlaying(found.outcome.value)
        try:
            self._play.stop(found.game_id, GameStatus.VOID)
        except GameOver as error:
            raise TableNotPlaying("over") from error
        self._runner.step(tournament_id)
        return self._store.table(tournament_id, round_number, table, found.attempt) or found

    def standings(self, tournament_id: UUID, limit: int, cursor: str | None) -> Page[StandingRow]:
        """The ranking, best first. Raises as `entries`."""
        return self._found(tournament_id, self._store.standings(tournament_id, limit, cursor))

    def crosstable(self, tournament_id: UUID) -> Crosstable:
        """The best entries against one another. Raises NotFound."""
        rows = self.standings(tournament_id, CROSSTABLE_MOST, None).items
        met = self._store.met(tournament_id, [row.entry for row in rows])
        cells = tuple(tuple(met.get(row.entry, {}).get(other.entry) for other in rows) for row in rows)
        return Crosstable(rows, cells)

    def events(self, tournament_id: UUID, after: int, limit: int, wait_seconds: float) -> TournamentEventPage:
        """The log after a version, as everybody may know it; waits until there is something. Raises NotFound."""

        def look() -> TournamentEventPage | None:
            page = self._store.events(tournament_id, after, limit)
            if page is None:
                raise NotFound
            return page if page.events or page.status.is_over else None

        found = self._hub.wait(tournament_id, wait_seconds, look) or self._store.events(tournament_id, after, limit)
        if found is None:
            raise NotFound
        return replace(found, events=tuple(map(_shown, found.events)))

    def leaderboard(self, limit: int, cursor: str | None) -> Page[LeaderboardRow]:
        """Live ratings over all events, best first. Raises InvalidRequest for a cursor that is none."""
        return self._store.leaderboard(limit, cursor)

    def _steer(self, caller: Caller, tournament_id: UUID, do: Callable[[Book], None]) -> TournamentInfo:
        self._refuse_foreign(caller, tournament_id)
        with self._changed(tournament_id) as book:
            do(book)
            return book.event.info

    @contextmanager
    def _changed(self, tournament_id: UUID) -> Iterator[Book]:
        """An event under its lock; afterwards whoever follows it is woken, and it is moved on. Raises NotFound."""
        with self._store.opened(tournament_id, wait=True) as book:
            if book is None:
                raise NotFound
            yield book
        self._runner.announce(tournament_id)

    def _refuse_foreign(self, caller: Caller, tournament_id: UUID) -> None:
        _refuse_bots(caller)
        owner_id = self._store.owner(tournament_id)
        if owner_id is None or (owner_id != caller.owner_id and not caller.scope.covers(Scope.ADMIN)):
            raise NotFound

    def _found(self, tournament_id: UUID, page: Page[_Item]) -> Page[_Item]:
        """A page, unless it is empty because there is no such event."""
        if not page.items and self._store.owner(tournament_id) is None:
            raise NotFound
        return page


def _refuse_bots(caller: Caller) -> None:
    if not caller.scope.covers(Scope.ORGANISER):
        raise Forbidden(
            f"a token of scope {caller.scope.value!r} cannot create or steer events",
            "use a token of scope 'organiser'; whoever runs the service gives them out",
        )


def _shown(event: TournamentEvent) -> TournamentEvent:
    hidden = _SECRET.get(event.kind, ())
    return replace(event, data={name: value for name, value in event.data.items() if name not in hidden})
