"""Tournaments as HTTP sees them: the part of the arena that is about them. Adds nothing to the use cases."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from skyjo_server.service.model import Caller, Page
from skyjo_server.service.tournament_export import Exporter
from skyjo_server.service.tournament_follow import TournamentFollowing
from skyjo_server.service.tournament_model import (
    Crosstable,
    EntryInfo,
    LeaderboardRow,
    NewTournament,
    StandingRow,
    TableInfo,
    TournamentEventPage,
    TournamentInfo,
    TournamentStatus,
)
from skyjo_server.service.tournaments import Tournaments
from skyjo_server.tournaments.values import Outcome


class TournamentFacade:
    """Every use case of tournaments; the errors are those of :class:`~skyjo_server.service.tournaments.Tournaments`.

    Args:
        tournaments: the use cases.
        exporter: writes archives.
        followers: who follows the log of an event.
    """

    def __init__(self, tournaments: Tournaments, exporter: Exporter, followers: TournamentFollowing) -> None:
        self._tournaments = tournaments
        self._exporter = exporter
        self._followers = followers

    def create_tournament(self, caller: Caller, wanted: NewTournament, key: str | None = None) -> TournamentInfo:
        """A new event, open for entries; with a key that came before, the event that it created then."""
        return self._tournaments.create(caller, wanted, key)

    def tournament(self, tournament_id: UUID) -> TournamentInfo:
        """An event."""
        return self._tournaments.tournament(tournament_id)

    def tournaments(self, status: TournamentStatus | None, limit: int, cursor: str | None) -> Page[TournamentInfo]:
        """Events, newest first."""
        return self._tournaments.tournaments(status, limit, cursor)

    def enter(self, caller: Caller, tournament_id: UUID, bot_id: UUID | None = None) -> EntryInfo:
        """Enter a bot of the caller's."""
        return self._tournaments.enter(caller, tournament_id, bot_id)

    def entries(self, tournament_id: UUID, limit: int, cursor: str | None) -> Page[EntryInfo]:
        """Entries in order of entry."""
        return self._tournaments.entries(tournament_id, limit, cursor)

    def withdraw(self, caller: Caller, tournament_id: UUID, bot_id: UUID | None = None) -> EntryInfo:
        """Take a bot of the caller's out."""
        return self._tournaments.withdraw(caller, tournament_id, bot_id)

    def disqualify(self, caller: Caller, tournament_id: UUID, entry: int, reason: str) -> EntryInfo:
        """Take an entry out, as the organiser."""
        return self._tournaments.disqualify(caller, tournament_id, entry, reason)

    def start_tournament(self, caller: Caller, tournament_id: UUID) -> TournamentInfo:
        """Begin."""
        return self._tournaments.start(caller, tournament_id)

    def pause_tournament(self, caller: Caller, tournament_id: UUID) -> TournamentInfo:
        """Begin no more games until it is resumed."""
        return self._tournaments.pause(caller, tournament_id)

    def resume_tournament(self, caller: Caller, tournament_id: UUID) -> TournamentInfo:
        """Go on after a pause."""
        return self._tournaments.resume(caller, tournament_id)

    def abort_tournament(self, caller: Caller, tournament_id: UUID) -> TournamentInfo:
        """End at once."""
        return self._tournaments.abort(caller, tournament_id)

    def tables(
        self,
        tournament_id: UUID,
        round_number: int | None,
        entry: int | None,
        outcome: Outcome | None,
        limit: int,
        cursor: str | None,
    ) -> Page[TableInfo]:
        """The schedule in order."""
        return self._tournaments.tables(tournament_id, round_number, entry, outcome, limit, cursor)

    def void_table(self, caller: Caller, tournament_id: UUID, round_number: int, table: int) -> TableInfo:
        """Declare the game that is played at a table void."""
        return self._tournaments.void_table(caller, tournament_id, round_number, table)

    def standings(self, tournament_id: UUID, limit: int, cursor: str | None) -> Page[StandingRow]:
        """The ranking, best first."""
        return self._tournaments.standings(tournament_id, limit, cursor)

    def crosstable(self, tournament_id: UUID) -> Crosstable:
        """The best entries against one another."""
        return self._tournaments.crosstable(tournament_id)

    def tournament_events(
        self, tournament_id: UUID, after: int, limit: int, wait_seconds: float
    ) -> TournamentEventPage:
        """The log of an event after a version."""
        return self._tournaments.events(tournament_id, after, limit, wait_seconds)

    def follow_tournament(self, tournament_id: UUID, after: int) -> Iterator[TournamentEventPage]:
        """The log of an event after a version, as it grows."""
        return self._followers.follow(tournament_id, after)

    def export(self, tournament_id: UUID) -> Iterator[bytes]:
        """Everything about an event that may be known, as a ZIP archive in pieces."""
        return self._exporter.export(tournament_id)

    def leaderboard(self, limit: int, cursor: str | None) -> Page[LeaderboardRow]:
        """Live ratings over all events, best first."""
        return self._tournaments.leaderboard(limit, cursor)
