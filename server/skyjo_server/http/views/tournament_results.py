"""Operations on how a tournament goes: schedule, standings, log, archive; and the leaderboard over all of them."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from flask import Response

from skyjo_server.http.accept import best_of
from skyjo_server.http.answers import EVENT_STREAM, json_answer, public_answer, public_json, tournament_stream_answer
from skyjo_server.http.blueprint import JSON, Blueprint, Resource
from skyjo_server.http.callers import arena, come_back
from skyjo_server.http.schemas import tournament_results as schemas
from skyjo_server.http.schemas.events import EventsWanted, FollowHeaders
from skyjo_server.http.schemas.tournament_entries import ListQuery, ListWanted
from skyjo_server.service.errors import ProblemCode
from skyjo_server.service.model import Caller
from skyjo_server.service.tournament_notation import (
    crosstable_to_dict,
    leader_to_dict,
    standing_to_dict,
    table_to_dict,
    tournament_event_page_to_dict,
)
from skyjo_server.service.tournament_sheets import crosstable_sheet, standings_sheet

results: Final = Blueprint("results", "Schedule, standings, log and archive of a tournament; the leaderboard.")

SHEET: Final = "text/csv"
ARCHIVE: Final = "application/zip"
AS_TEXT: Final = {"type": "string"}
AS_BYTES: Final = {"type": "string", "format": "binary"}


@results.route("/tournaments/<uuid:tournament_id>/tables")
class Tables(Resource):
    """The schedule of one tournament."""

    @results.operation(
        "listTables",
        ProblemCode.NOT_FOUND,
        links={"GetGame": {"operationId": "getGame", "parameters": {"game_id": "$response.body#/items/0/game"}}},
    )
    @results.arguments(schemas.TablesQuery, "query")
    @results.response(200, schemas.TablePage)
    def get(self, wanted: schemas.TablesWanted, tournament_id: UUID) -> Response:
        """List the tables of the schedule in order, as far as it is known."""
        page = arena().tables(tournament_id, wanted.round, wanted.entry, wanted.outcome, wanted.limit, wanted.cursor)
        return json_answer({"items": list(map(table_to_dict, page.items)), "next_cursor": page.next_cursor})


@results.route("/tournaments/<uuid:tournament_id>/tables/<number:round_number>/<number:table_number>/void")
class VoidTable(Resource):
    """The game that is played at one table."""

    @results.operation("voidTable", ProblemCode.FORBIDDEN, ProblemCode.NOT_FOUND, ProblemCode.TABLE_NOT_PLAYING)
    @results.signed_in()
    @results.response(200, schemas.TournamentTable)
    def post(self, caller: Caller, tournament_id: UUID, round_number: int, table_number: int) -> Response:
        """Declare the game void, as the organiser. It is played again on a deal of its own."""
        return json_answer(table_to_dict(arena().void_table(caller, tournament_id, round_number, table_number)))


@results.route("/tournaments/<uuid:tournament_id>/standings")
class Standings(Resource):
    """The ranking of one tournament."""

    @results.operation("getStandings", ProblemCode.NOT_FOUND, ProblemCode.NOT_ACCEPTABLE)
    @results.arguments(ListQuery, "query")
    @results.response(200, schemas.StandingPage, headers=("Link",), tagged=True)
    @results.response(200, AS_TEXT, content_type=SHEET)
    def get(self, wanted: ListWanted, tournament_id: UUID) -> Response:
        """Read the ranking, best first, from every table whose result may be known: as JSON, or as a sheet in CSV.

        The address of the next page stands in `next_cursor`, and in the header `Link`.
        """
        media_type = best_of(JSON, SHEET)
        page = arena().standings(tournament_id, wanted.limit, wanted.cursor)
        table_size = arena().tournament(tournament_id).new.shape.table_size
        rows = [standing_to_dict(row, table_size) for row in page.items]
        found = {"items": rows, "next_cursor": page.next_cursor}
        headers = _next_page(f"/v1/tournaments/{tournament_id}/standings", wanted.limit, page.next_cursor)
        return _sheet(standings_sheet(rows), headers) if media_type == SHEET else public_json(found, headers)


@results.route("/tournaments/<uuid:tournament_id>/crosstable")
class Crosstable(Resource):
    """Who did what against whom in one tournament."""

    @results.operation("getCrosstable", ProblemCode.NOT_FOUND, ProblemCode.NOT_ACCEPTABLE)
    @results.response(200, schemas.Crosstable, tagged=True)
    @results.response(200, AS_TEXT, content_type=SHEET)
    def get(self, tournament_id: UUID) -> Response:
        """Read what the best entries did against one another: as JSON, or as a sheet in CSV."""
        media_type = best_of(JSON, SHEET)
        table_size = arena().tournament(tournament_id).new.shape.table_size
        found = crosstable_to_dict(arena().crosstable(tournament_id), table_size)
        return _sheet(crosstable_sheet(found), {}) if media_type == SHEET else public_json(found, BY_ACCEPT)


@results.route("/tournaments/<uuid:tournament_id>/events")
class Events(Resource):
    """The log of one tournament."""

    @results.operation("listTournamentEvents", ProblemCode.NOT_FOUND, ProblemCode.NOT_ACCEPTABLE)
    @results.arguments(schemas.TournamentEventsQuery, "query")
    @results.arguments(FollowHeaders, "headers")
    @results.response(200, schemas.TournamentEventPage)
    @results.response(200, AS_TEXT, content_type=EVENT_STREAM)
    def get(self, wanted: EventsWanted, last: int | None, tournament_id: UUID) -> Response:
        """Read what happened in a tournament.

        The answer waits until there is an event after `after`, and comes at the latest after `wait` seconds. Asked for
        as `text/event-stream`, it goes on with every event as it happens, until the tournament is over.
        """
        if best_of(JSON, EVENT_STREAM) == EVENT_STREAM:
            pages = arena().follow_tournament(tournament_id, wanted.after if last is None else last)
            return tournament_stream_answer(pages)
        page = arena().tournament_events(tournament_id, wanted.after, wanted.limit, wanted.wait)
        return come_back(json_answer(tournament_event_page_to_dict(page)))


@results.route("/tournaments/<uuid:tournament_id>/export")
class Export(Resource):
    """Everything about one tournament."""

    @results.operation("exportTournament", ProblemCode.NOT_FOUND)
    @results.response(200, AS_BYTES, content_type=ARCHIVE)
    def get(self, tournament_id: UUID) -> Response:
        """Download everything that may be known: options, entries, schedule, results, standings, games.

        Once the tournament is over, `skyjo verify` proves all of it from the archive alone.
        """
        named = {"Content-Disposition": f'attachment; filename="tournament-{tournament_id}.zip"'}
        return Response(arena().export(tournament_id), content_type=ARCHIVE, headers=named)


@results.route("/leaderboard")
class Leaderboard(Resource):
    """Live ratings."""

    @results.operation("getLeaderboard")
    @results.arguments(ListQuery, "query")
    @results.response(200, schemas.Leaderboard)
    def get(self, wanted: ListWanted) -> Response:
        """Read the live ratings over all tournaments, best first."""
        page = arena().leaderboard(wanted.limit, wanted.cursor)
        return json_answer({"items": list(map(leader_to_dict, page.items)), "next_cursor": page.next_cursor})


BY_ACCEPT: Final = {"Vary": "Authorization, Accept"}


def _sheet(text: str, headers: dict[str, str]) -> Response:
    return public_answer(text.encode(), f"{SHEET}; charset=utf-8; header=present", {**BY_ACCEPT, **headers})


def _next_page(path: str, limit: int, cursor: str | None) -> dict[str, Any]:
    """The header that says where the next page is (RFC 8288), and that there are several forms of this one."""
    if cursor is None:
        return BY_ACCEPT
    return {**BY_ACCEPT, "Link": f'<{path}?{urlencode({"limit": limit, "cursor": cursor})}>; rel="next"'}
