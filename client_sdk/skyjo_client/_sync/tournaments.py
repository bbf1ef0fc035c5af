# Written by client_sdk/generate_sync.py from client_sdk/skyjo_client/_async/tournaments.py.
"""Tournaments: one method for each request."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Any, Final

from skyjo_client._sync.api import Api
from skyjo_client._sync.pages import Page, page_of
from skyjo_client.exchange import Request, as_bytes, as_json, get, path, post
from skyjo_client.retry import Idleness
from skyjo_client.submissions import new_key
from skyjo_client.tournament_models import (
    Entry,
    TableOutcome,
    Tournament,
    TournamentEvent,
    TournamentEventPage,
    TournamentStatus,
    TournamentTable,
)
from skyjo_client.tournament_options import TournamentOptions
from skyjo_client.tournament_results import Crosstable, TournamentStanding

_ARCHIVE: Final = "application/zip"
_ARCHIVE_SECONDS: Final = 110.0
"""How much longer an archive may take than other answers: all games are in it."""


class Tournaments:
    """Tournaments: ``client.tournaments``."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def create(self, options: TournamentOptions, *, key: str | None = None) -> Tournament:
        """Create a tournament; bots may enter it from then on.

        Args:
            options: everything about it.
            key: makes sending it again harmless, also from another process; None = a new one.
        Raises:
            InvalidRequest: naming the option that cannot be, alone or beside the others.
            InvalidRules: naming the option of the rules.
            Forbidden: if the token is not an organiser's.
        """
        where = path("tournaments")
        return self._api.send(post(where, Tournament.from_dict, options.to_dict(), key=key or new_key()))

    def list(
        self, *, status: TournamentStatus | None = None, limit: int | None = None, cursor: str | None = None
    ) -> Page[Tournament]:
        """Tournaments, the newest first, page by page.

        Args:
            status: only those that stand there.
            limit: tournaments on a page, 1 to 100; None = 20.
            cursor: where to begin, from an earlier page.
        """
        query = {"status": status, "limit": limit}
        return page_of(self._api, path("tournaments"), Tournament.from_dict, query, cursor)

    def get(self, tournament_id: str) -> Tournament:
        """A tournament by its id.

        Raises:
            NotFound: if there is none.
        """
        return self._api.send(get(path("tournaments", tournament_id), Tournament.from_dict))

    def enter(self, tournament_id: str, *, bot: str | None = None) -> Entry:
        """Enter a bot. It gets its games by its inbox. Entering one that is in does no harm.

        Args:
            tournament_id: the tournament.
            bot: id of a bot of the caller's owner; None = the caller's own bot.
        Raises:
            EntryClosed: if it takes no more entries.
            EntryLimit: if the owner has as many bots in it as it may have.
            AlreadyEntered: if the bot has left it.
            TournamentOver: if it is over.
        """
        return self._api.send(self._entry(tournament_id, "entries", {"bot": bot}, repeatable=True))

    def entries(self, tournament_id: str, *, limit: int | None = None, cursor: str | None = None) -> Page[Entry]:
        """Entries in the order of entry, page by page.

        Args:
            tournament_id: the tournament.
            limit: entries on a page, 1 to 1000; None = 100.
            cursor: where to begin, from an earlier page.
        """
        where = path("tournaments", tournament_id, "entries")
        return page_of(self._api, where, Entry.from_dict, {"limit": limit}, cursor)

    def withdraw(self, tournament_id: str, *, bot: str | None = None) -> Entry:
        """Take a bot out: it is never paired again once this has returned. Games that are on go on.

        Args:
            tournament_id: the tournament.
            bot: id of a bot of the caller's owner; None = the caller's own bot.
        Raises:
            NotFound: if the bot is not in it.
            TournamentOver: if it is over.
        """
        return self._api.send(self._entry(tournament_id, "withdrawal", {"bot": bot}, repeatable=True))

    def disqualify(self, tournament_id: str, entry: int, reason: str) -> Entry:
        """Take an entry out, as the organiser. It is sent once.

        Args:
            tournament_id: the tournament.
            entry: its number.
            reason: 1 to 200 characters, which everybody may read.
        Raises:
            NotFound: if there is no such entry, or the tournament is somebody else's.
            TournamentOver: if it is over.
        """
        body = {"entry": entry, "reason": reason}
        return self._api.send(self._entry(tournament_id, "disqualifications", body, repeatable=False))

    def start(self, tournament_id: str) -> Tournament:
        """Begin, as the organiser; harmless if it has begun.

        Raises:
            TooFewEntries: if it cannot begin yet.
            TournamentOver: if it is over.
        """
        return self._steer(tournament_id, "start")

    def pause(self, tournament_id: str) -> Tournament:
        """Begin no more games until it is resumed, as the organiser; those that are on go on.

        Raises:
            TournamentNotStarted, TournamentOver: if it is not on.
        """
        return self._steer(tournament_id, "pause")

    def resume(self, tournament_id: str) -> Tournament:
        """Go on after a pause, as the organiser.

        Raises:
            TournamentNotStarted, TournamentOver: if it is not on.
        """
        return self._steer(tournament_id, "resume")

    def abort(self, tournament_id: str) -> Tournament:
        """End it at once, as the organiser; games that are on are aborted. Harmless if that was done before.

        Raises:
            TournamentOver: if it is finished.
        """
        return self._steer(tournament_id, "abortion")

    def tables(
        self,
        tournament_id: str,
        *,
        round_number: int | None = None,
        entry: int | None = None,
        outcome: TableOutcome | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[TournamentTable]:
        """The schedule in order, as far as it is known, page by page.

        Args:
            tournament_id: the tournament.
            round_number: only this round, from 0.
            entry: only tables at which this entry sits.
            outcome: only tables that this has become of.
            limit: tables on a page, 1 to 1000; None = 100.
            cursor: where to begin, from an earlier page.
        """
        query = {"round": round_number, "entry": entry, "outcome": outcome, "limit": limit}
        where = path("tournaments", tournament_id, "tables")
        return page_of(self._api, where, TournamentTable.from_dict, query, cursor)

    def void_table(self, tournament_id: str, round_number: int, table: int) -> TournamentTable:
        """Declare the game that is played at a table void, as the organiser; it is played again. It is sent once.

        Args:
            tournament_id: the tournament.
            round_number: its round, from 0.
            table: its number in the round, from 0.
        Raises:
            TableNotPlaying: if no game is played there now.
        """
        where = path("tournaments", tournament_id, "tables", str(round_number), str(table), "void")
        return self._api.send(Request("POST", where, as_json(TournamentTable.from_dict)))

    def standings(
        self, tournament_id: str, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[TournamentStanding]:
        """The ranking, best first, page by page.

        Args:
            tournament_id: the tournament.
            limit: rows on a page, 1 to 1000; None = 100.
            cursor: where to begin, from an earlier page.
        """
        where = path("tournaments", tournament_id, "standings")
        return page_of(self._api, where, TournamentStanding.from_dict, {"limit": limit}, cursor)

    def crosstable(self, tournament_id: str) -> Crosstable:
        """Who did what against whom, among the best."""
        return self._api.send(get(path("tournaments", tournament_id, "crosstable"), Crosstable.from_dict))

    def events(
        self, tournament_id: str, *, after: int = -1, limit: int | None = None, wait_seconds: float = 0.0
    ) -> TournamentEventPage:
        """The log of a tournament, in order.

        Args:
            tournament_id: the tournament.
            after: the version of the last event that is known; -1 = none.
            limit: events at most, 1 to 1000; None = 100.
            wait_seconds: if there is none yet, wait so long for one, 0 to 30.
        """
        where = path("tournaments", tournament_id, "events")
        read = TournamentEventPage.from_dict
        return self._api.send(get(where, read, wait_seconds=wait_seconds, after=after, limit=limit))

    def follow(self, tournament_id: str, *, after: int = -1, wait_seconds: float = 20.0) -> Iterator[TournamentEvent]:
        """Every event of a tournament as it happens, until it is over.

        Args:
            tournament_id: the tournament.
            after: the version of the last event that is known; -1 = none.
            wait_seconds: how long each request may wait, 0 to 30.
        """
        idleness = Idleness()
        while True:
            began = monotonic()
            page = self.events(tournament_id, after=after, limit=1000, wait_seconds=wait_seconds)
            early = monotonic() - began < wait_seconds
            for event in page.events:
                yield event
                after = event.version
            if page.ends_with(after):
                return
            self._api.idle(idleness, fruitful=bool(page.events), early=early)

    def export(self, tournament_id: str) -> bytes:
        """Everything about a tournament that may be known, as a ZIP archive, which ``skyjo verify`` proves."""
        where = path("tournaments", tournament_id, "export")
        headers = {"Accept": f"{_ARCHIVE}, application/problem+json"}
        request = Request("GET", where, as_bytes, headers=headers, repeatable=True, wait_seconds=_ARCHIVE_SECONDS)
        return self._api.send(request)

    def _steer(self, tournament_id: str, how: str) -> Tournament:
        where = path("tournaments", tournament_id, how)
        return self._api.send(Request("POST", where, as_json(Tournament.from_dict), repeatable=True))

    @staticmethod
    def _entry(tournament_id: str, what: str, body: dict[str, Any], *, repeatable: bool) -> Request[Entry]:
        given = {name: value for name, value in body.items() if value is not None}
        where = path("tournaments", tournament_id, what)
        return Request("POST", where, as_json(Entry.from_dict), body=given, repeatable=repeatable)
