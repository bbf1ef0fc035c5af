"""Operations on tournaments as a whole: create one, find one, steer it."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from flask import Response

from skyjo_server.http.answers import json_answer, public_json
from skyjo_server.http.blueprint import Blueprint, Resource
from skyjo_server.http.callers import arena
from skyjo_server.http.schemas import tournaments as schemas
from skyjo_server.http.schemas.games import CreateHeaders
from skyjo_server.service.errors import ProblemCode
from skyjo_server.service.model import Caller
from skyjo_server.service.tournament_model import NewTournament, TournamentInfo
from skyjo_server.service.tournament_notation import tournament_to_dict

tournaments: Final = Blueprint("tournaments", "Tournaments: create one, find one, steer it.")

EXAMPLE: Final = {
    "name": schemas.EXAMPLE_NAME,
    "format": "swiss",
    "duplicate": True,
    "house": ["greedy", "threshold"],
    "filler": "random",
    "start_when_full": True,
    "entries_max": 16,
}

LINKED: Final = (
    "getTournament",
    "enterTournament",
    "listEntries",
    "withdraw",
    "disqualify",
    "startTournament",
    "pauseTournament",
    "resumeTournament",
    "abortTournament",
    "listTables",
    "getStandings",
    "getCrosstable",
    "listTournamentEvents",
    "exportTournament",
)


def links(tournament_id: str, *operations: str) -> dict[str, Any]:
    """Links to operations on one tournament.

    Args:
        tournament_id: an expression that gives its id from the answer.
        operations: their ids.
    """
    return {
        operation[0].upper() + operation[1:]: {"operationId": operation, "parameters": {"tournament_id": tournament_id}}
        for operation in operations
    }


def _answer(tournament: TournamentInfo) -> Response:
    return json_answer(tournament_to_dict(tournament))


@tournaments.route("/tournaments")
class Tournaments(Resource):
    """All tournaments."""

    @tournaments.operation(
        "createTournament",
        ProblemCode.FORBIDDEN,
        ProblemCode.INVALID_RULES,
        ProblemCode.IDEMPOTENCY_KEY_REUSED,
        links=links("$response.body#/id", *LINKED),
    )
    @tournaments.signed_in()
    @tournaments.arguments(CreateHeaders, "headers")
    @tournaments.arguments(schemas.NewTournament, example=EXAMPLE)
    @tournaments.response(201, schemas.Tournament, headers=("Location",))
    def post(self, caller: Caller, key: str | None, wanted: NewTournament) -> Response:
        """Create a tournament, as an organiser. It is open for entries, and runs by itself once it has begun."""
        made = arena().create_tournament(caller, wanted, key)
        return json_answer(tournament_to_dict(made), 201, {"Location": f"/v1/tournaments/{made.id}"})

    @tournaments.operation("listTournaments", links=links("$response.body#/items/0/id", "getTournament"))
    @tournaments.arguments(schemas.TournamentsQuery, "query")
    @tournaments.response(200, schemas.TournamentPage)
    def get(self, wanted: schemas.TournamentsWanted) -> Response:
        """List tournaments, newest first."""
        page = arena().tournaments(wanted.status, wanted.limit, wanted.cursor)
        return json_answer({"items": list(map(tournament_to_dict, page.items)), "next_cursor": page.next_cursor})


@tournaments.route("/tournaments/<uuid:tournament_id>")
class Tournament(Resource):
    """One tournament."""

    @tournaments.operation("getTournament", ProblemCode.NOT_FOUND)
    @tournaments.response(200, schemas.Tournament, tagged=True)
    def get(self, tournament_id: UUID) -> Response:
        """Read a tournament: how it was set up, and how far it is."""
        return public_json(tournament_to_dict(arena().tournament(tournament_id)))


@tournaments.route("/tournaments/<uuid:tournament_id>/start")
class Start(Resource):
    """The beginning of one tournament."""

    @tournaments.operation(
        "startTournament",
        ProblemCode.FORBIDDEN,
        ProblemCode.NOT_FOUND,
        ProblemCode.TOO_FEW_ENTRIES,
        ProblemCode.TOURNAMENT_OVER,
    )
    @tournaments.signed_in()
    @tournaments.response(200, schemas.Tournament)
    def post(self, caller: Caller, tournament_id: UUID) -> Response:
        """Begin, as its organiser. It does no harm if it has begun."""
        return _answer(arena().start_tournament(caller, tournament_id))


@tournaments.route("/tournaments/<uuid:tournament_id>/pause")
class Pause(Resource):
    """A pause of one tournament."""

    @tournaments.operation(
        "pauseTournament",
        ProblemCode.FORBIDDEN,
        ProblemCode.NOT_FOUND,
        ProblemCode.TOURNAMENT_NOT_STARTED,
        ProblemCode.TOURNAMENT_OVER,
    )
    @tournaments.signed_in()
    @tournaments.response(200, schemas.Tournament)
    def post(self, caller: Caller, tournament_id: UUID) -> Response:
        """Begin no more games until it is resumed, as its organiser. Those that are on go on."""
        return _answer(arena().pause_tournament(caller, tournament_id))


@tournaments.route("/tournaments/<uuid:tournament_id>/resume")
class Resume(Resource):
    """The end of a pause of one tournament."""

    @tournaments.operation(
        "resumeTournament",
        ProblemCode.FORBIDDEN,
        ProblemCode.NOT_FOUND,
        ProblemCode.TOURNAMENT_NOT_STARTED,
        ProblemCode.TOURNAMENT_OVER,
    )
    @tournaments.signed_in()
    @tournaments.response(200, schemas.Tournament)
    def post(self, caller: Caller, tournament_id: UUID) -> Response:
        """Go on after a pause, as its organiser."""
        return _answer(arena().resume_tournament(caller, tournament_id))


@tournaments.route("/tournaments/<uuid:tournament_id>/abortion")
class Abortion(Resource):
    """The end of one tournament before its time."""

    @tournaments.operation("abortTournament", ProblemCode.FORBIDDEN, ProblemCode.NOT_FOUND, ProblemCode.TOURNAMENT_OVER)
    @tournaments.signed_in()
    @tournaments.response(200, schemas.Tournament)
    def post(self, caller: Caller, tournament_id: UUID) -> Response:
        """End at once, as its organiser. Games that are on are aborted; what has been played stays in the standings."""
        return _answer(arena().abort_tournament(caller, tournament_id))
