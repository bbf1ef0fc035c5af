"""Operations on who takes part in a tournament: enter, leave, be taken out."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from flask import Response

from skyjo_server.http.answers import json_answer
from skyjo_server.http.blueprint import Blueprint, Resource
from skyjo_server.http.callers import arena
from skyjo_server.http.schemas import tournament_entries as schemas
from skyjo_server.service.errors import ProblemCode
from skyjo_server.service.model import Caller
from skyjo_server.service.tournament_notation import entry_to_dict

entries: Final = Blueprint("entries", "Who takes part in a tournament.")

BOT: Final = {"bot": "00112233-4455-6677-8899-aabbccddeeff"}


@entries.route("/tournaments/<uuid:tournament_id>/entries")
class Entries(Resource):
    """The entries of one tournament."""

    @entries.operation(
        "enterTournament",
        ProblemCode.NOT_FOUND,
        ProblemCode.ENTRY_CLOSED,
        ProblemCode.ENTRY_LIMIT,
        ProblemCode.ALREADY_ENTERED,
        ProblemCode.TOURNAMENT_OVER,
    )
    @entries.signed_in()
    @entries.arguments(schemas.EntryClaim, example=BOT)
    @entries.response(201, schemas.Entry)
    def post(self, caller: Caller, bot: UUID | None, tournament_id: UUID) -> Response:
        """Enter a bot. It gets its games by its inbox; entering it twice does no harm."""
        return json_answer(entry_to_dict(arena().enter(caller, tournament_id, bot)), 201)

    @entries.operation("listEntries", ProblemCode.NOT_FOUND)
    @entries.arguments(schemas.ListQuery, "query")
    @entries.response(200, schemas.EntryPage)
    def get(self, wanted: schemas.ListWanted, tournament_id: UUID) -> Response:
        """List entries in the order of entry."""
        page = arena().entries(tournament_id, wanted.limit, wanted.cursor)
        return json_answer({"items": list(map(entry_to_dict, page.items)), "next_cursor": page.next_cursor})


@entries.route("/tournaments/<uuid:tournament_id>/withdrawal")
class Withdrawal(Resource):
    """Leaving one tournament."""

    @entries.operation("withdraw", ProblemCode.NOT_FOUND, ProblemCode.TOURNAMENT_OVER)
    @entries.signed_in()
    @entries.arguments(schemas.Withdrawal, example=BOT)
    @entries.response(200, schemas.Entry)
    def post(self, caller: Caller, bot: UUID | None, tournament_id: UUID) -> Response:
        """Withdraw a bot. Once this is answered it is never paired again; games that are on go on."""
        return json_answer(entry_to_dict(arena().withdraw(caller, tournament_id, bot)))


@entries.route("/tournaments/<uuid:tournament_id>/disqualifications")
class Disqualifications(Resource):
    """Entries of one tournament that are taken out."""

    @entries.operation("disqualify", ProblemCode.FORBIDDEN, ProblemCode.NOT_FOUND, ProblemCode.TOURNAMENT_OVER)
    @entries.signed_in()
    @entries.arguments(schemas.Disqualification, example={"entry": 3, "reason": "two bots of one author"})
    @entries.response(200, schemas.Entry)
    def post(self, caller: Caller, wanted: tuple[int, str], tournament_id: UUID) -> Response:
        """Take an entry out, as the organiser. It is never paired again; everybody may read the reason."""
        entry, reason = wanted
        return json_answer(entry_to_dict(arena().disqualify(caller, tournament_id, entry, reason)))
