"""Who may do what to which object: every operation, every kind of caller, every kind of object, in one table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from skyjo_server.app import Service
from tests.contract.document import Document
from tests.server.http.client import Client, members, problem_code
from tests.server.http.stage import Stage

CALLERS: Final = ("nobody", "no good", "stranger", "seated", "sibling", "organiser", "admin")
NO_GOOD: Final = ("malformed", "unknown", "revoked")
"""The tokens that are no good; what they get must be the same."""

# The object is Ada's or nobody's; of two words the second is the bot that the request names. Ada is the seated one, her
# sibling is another bot of the same owner. A number alone is a status with the problem that is usual with it, or none;
# in "200 404" the whole succeeded, and the one action in it was refused.
TABLE: Final = """
operation        object              | nobody  | no good | stranger | seated     | sibling  | organiser | admin
registerBot                          | 201     | 401     | 201      | 201        | 201      | 201       | 201
getBot           her-bot             | 200     | 200     | 200      | 200        | 200      | 200       | 200
getBot           no-bot              | 404     | 404     | 404      | 404        | 404      | 404       | 404
getMe                                | 401     | 401     | 200      | 200        | 200      | 200       | 200
issueToken                           | 401     | 401     | 201      | 201        | 201      | 201       | 201
issueToken       her-bot             | 401     | 401     | 404      | 201        | 201      | 404       | 404
issueToken       no-bot              | 401     | 401     | 404      | 404        | 404      | 404       | 404
issueToken       organiser           | 401     | 401     | 403      | 403        | 403      | 201       | 201
issueToken       admin               | 401     | 401     | 403      | 403        | 403      | 403       | 201
revokeToken      own-token           | 401     | 401     | 204      | 204        | 204      | 204       | 204
revokeToken      her-token           | 401     | 401     | 404      | 204        | 204      | 404       | 404
revokeToken      her-old-token       | 401     | 401     | 404      | 204        | 204      | 404       | 404
revokeToken      no-token            | 401     | 401     | 404      | 404        | 404      | 404       | 404
createGame                           | 401     | 401     | 201      | 201        | 201      | 201       | 201
createGame       her-bot             | 401     | 401     | 422      | 201        | 201      | 201       | 201
createGame       no-bot              | 401     | 401     | 422      | 422        | 422      | 422       | 422
listGames                            | 200     | 200     | 200      | 200        | 200      | 200       | 200
getGame          open                | 200     | 200     | 200      | 200        | 200      | 200       | 200
getGame          running             | 200     | 200     | 200      | 200        | 200      | 200       | 200
getGame          finished            | 200     | 200     | 200      | 200        | 200      | 200       | 200
getGame          no-game             | 404     | 404     | 404      | 404        | 404      | 404       | 404
takeSeat         open                | 401     | 401     | 201      | 409 seated | 201      | 201       | 201
takeSeat         running             | 401     | 401     | 409 full | 409 seated | 409 full | 409 full  | 409 full
takeSeat         finished            | 401     | 401     | 409 over | 409 over   | 409 over | 409 over  | 409 over
takeSeat         no-game             | 401     | 401     | 404      | 404        | 404      | 404       | 404
takeSeat         open her-bot        | 401     | 401     | 404      | 409 seated | 404      | 404       | 404
takeSeat         no-game her-bot     | 401     | 401     | 404      | 404        | 404      | 404       | 404
resign           open                | 401     | 401     | 409 open | 409 open   | 409 open | 409 open  | 409 open
resign           running             | 401     | 401     | 404      | 200        | 404      | 404       | 404
resign           finished            | 401     | 401     | 404      | 409 over   | 404      | 404       | 404
resign           no-game             | 401     | 401     | 404      | 404        | 404      | 404       | 404
resign           running her-bot     | 401     | 401     | 404      | 200        | 404      | 404       | 404
getView          open                | 409 open| 401     | 409 open | 409 open   | 409 open | 409 open  | 409 open
getView          running             | 200     | 401     | 200      | 200        | 200      | 200       | 200
getView          finished            | 200     | 401     | 200      | 200        | 200      | 200       | 200
getView          no-game             | 404     | 401     | 404      | 404        | 404      | 404       | 404
getView          running her-bot     | 404     | 401     | 404      | 200        | 404      | 404       | 404
getView          finished her-bot    | 404     | 401     | 404      | 200        | 404      | 404       | 404
getLegalActions  open                | 409 open| 401     | 409 open | 409 open   | 409 open | 409 open  | 409 open
getLegalActions  running             | 200     | 401     | 200      | 200        | 200      | 200       | 200
getLegalActions  finished            | 200     | 401     | 200      | 200        | 200      | 200       | 200
getLegalActions  no-game             | 404     | 401     | 404      | 404        | 404      | 404       | 404
getLegalActions  running her-bot     | 404     | 401     | 404      | 200        | 404      | 404       | 404
playAction       open                | 401     | 401     | 409 open | 409 open   | 409 open | 409 open  | 409 open
playAction       running             | 401     | 401     | 404      | 200        | 404      | 404       | 404
playAction       finished            | 401     | 401     | 404      | 409 over   | 404      | 404       | 404
playAction       no-game             | 401     | 401     | 404      | 404        | 404      | 404       | 404
listTurns                            | 401     | 401     | 200      | 200        | 200      | 200       | 200
playTurns                            | 401     | 401     | 200      | 200        | 200      | 200       | 200
playTurns        open                | 401     | 401     | 200 open | 200 open   | 200 open | 200 open  | 200 open
playTurns        running             | 401     | 401     | 200 404  | 200        | 200 404  | 200 404   | 200 404
playTurns        finished            | 401     | 401     | 200 404  | 200 over   | 200 404  | 200 404   | 200 404
playTurns        no-game             | 401     | 401     | 200 404  | 200 404    | 200 404  | 200 404   | 200 404
listEvents       open                | 200     | 401     | 200      | 200        | 200      | 200       | 200
listEvents       running             | 200     | 401     | 200      | 200        | 200      | 200       | 200
listEvents       finished            | 200     | 401     | 200      | 200        | 200      | 200       | 200
listEvents       no-game             | 404     | 401     | 404      | 404        | 404      | 404       | 404
listEvents       finished text/event-stream | 200 | 401  | 200      | 200        | 200      | 200       | 200
listEvents       no-game text/event-stream  | 404 | 401  | 404      | 404        | 404      | 404       | 404
getTranscript    open                | 409 on  | 409 on  | 409 on   | 409 on     | 409 on   | 409 on    | 409 on
getTranscript    running             | 409 on  | 409 on  | 409 on   | 409 on     | 409 on   | 409 on    | 409 on
getTranscript    finished            | 200     | 200     | 200      | 200        | 200      | 200       | 200
getTranscript    no-game             | 404     | 404     | 404      | 404        | 404      | 404       | 404
getState         open                | 409 open| 401     | 409 open | 409 open   | 409 open | 409 open  | 409 open
getState         running             | 200     | 401     | 200      | 200        | 200      | 200       | 200
getState         running ?seat=0     | 409 on  | 401     | 409 on   | 200        | 409 on   | 409 on    | 409 on
getState         running ?view=open  | 409 on  | 401     | 409 on   | 409 on     | 409 on   | 409 on    | 409 on
getState         finished            | 200     | 401     | 200      | 200        | 200      | 200       | 200
getState         finished ?seat=0    | 200     | 401     | 200      | 200        | 200      | 200       | 200
getState         no-game             | 404     | 401     | 404      | 404        | 404      | 404       | 404
getProof         open                | 409 on  | 409 on  | 409 on   | 409 on     | 409 on   | 409 on    | 409 on
getProof         running             | 409 on  | 409 on  | 409 on   | 409 on     | 409 on   | 409 on    | 409 on
getProof         finished            | 200     | 200     | 200      | 200        | 200      | 200       | 200
getProof         no-game             | 404     | 404     | 404      | 404        | 404      | 404       | 404
getAnalysis      open                | 409 on  | 409 on  | 409 on   | 409 on     | 409 on   | 409 on    | 409 on
getAnalysis      running             | 409 on  | 409 on  | 409 on   | 409 on     | 409 on   | 409 on    | 409 on
getAnalysis      finished            | 200     | 200     | 200      | 200        | 200      | 200       | 200
getAnalysis      no-game             | 404     | 404     | 404      | 404        | 404      | 404       | 404
forkGame         open                | 401     | 401     | 409 on   | 409 on     | 409 on   | 409 on    | 409 on
forkGame         running             | 401     | 401     | 409 on   | 409 on     | 409 on   | 409 on    | 409 on
forkGame         finished            | 401     | 401     | 201      | 201        | 201      | 201       | 201
forkGame         no-game             | 401     | 401     | 404      | 404        | 404      | 404       | 404
forkGame         finished her-bot    | 401     | 401     | 422      | 201        | 201      | 201       | 201
forkGame         finished no-bot     | 401     | 401     | 422      | 422        | 422      | 422       | 422
getFairness                          | 200     | 200     | 200      | 200        | 200      | 200       | 200
createTournament                     | 401     | 401     | 403      | 403        | 403      | 201       | 201
listTournaments                      | 200     | 200     | 200      | 200        | 200      | 200       | 200
getTournament        entry-event     | 200     | 200     | 200      | 200        | 200      | 200       | 200
getTournament        live-event      | 200     | 200     | 200      | 200        | 200      | 200       | 200
getTournament        over-event      | 200     | 200     | 200      | 200        | 200      | 200       | 200
getTournament        no-event        | 404     | 404     | 404      | 404        | 404      | 404       | 404
enterTournament      entry-event     | 401     | 401     | 201      | 201        | 409 limit | 201       | 201
enterTournament      live-event      | 401     | 401     | 409 closed| 201       | 409 closed| 409 closed| 409 closed
enterTournament      over-event      | 401     | 401     | 409 ended | 201        | 409 ended | 409 ended | 409 ended
enterTournament      no-event        | 401     | 401     | 404      | 404        | 404      | 404       | 404
enterTournament      entry-event her-bot | 401     | 401     | 404      | 201        | 404      | 404       | 404
enterTournament      no-event her-bot | 401     | 401     | 404      | 404        | 404      | 404       | 404
listEntries          entry-event     | 200     | 200     | 200      | 200        | 200      | 200       | 200
listEntries          live-event      | 200     | 200     | 200      | 200        | 200      | 200       | 200
listEntries          over-event      | 200     | 200     | 200      | 200        | 200      | 200       | 200
listEntries          no-event        | 404     | 404     | 404      | 404        | 404      | 404       | 404
withdraw             entry-event     | 401     | 401     | 404      | 200        | 404      | 404       | 404
withdraw             live-event      | 401     | 401     | 404      | 200        | 404      | 404       | 404
withdraw             over-event      | 401     | 401     | 404      | 409 ended  | 404      | 404       | 404
withdraw             no-event        | 401     | 401     | 404      | 404        | 404      | 404       | 404
withdraw             entry-event her-bot | 401     | 401     | 404      | 200        | 404      | 404       | 404
disqualify           entry-event     | 401     | 401     | 403      | 403        | 403      | 200       | 200
disqualify           live-event      | 401     | 401     | 403      | 403        | 403      | 404       | 200
disqualify           over-event      | 401     | 401     | 403      | 403        | 403      | 409 ended | 409 ended
disqualify           no-event        | 401     | 401     | 403      | 403        | 403      | 404       | 404
startTournament      entry-event     | 401     | 401     | 403      | 403        | 403      | 200       | 200
startTournament      live-event      | 401     | 401     | 403      | 403        | 403      | 404       | 200
startTournament      over-event      | 401     | 401     | 403      | 403        | 403      | 409 ended | 409 ended
startTournament      no-event        | 401     | 401     | 403      | 403        | 403      | 404       | 404
pauseTournament      entry-event     | 401     | 401     | 403      | 403        | 403      | 409 early | 409 early
pauseTournament      live-event      | 401     | 401     | 403      | 403        | 403      | 404       | 200
pauseTournament      over-event      | 401     | 401     | 403      | 403        | 403      | 409 ended | 409 ended
pauseTournament      no-event        | 401     | 401     | 403      | 403        | 403      | 404       | 404
resumeTournament     entry-event     | 401     | 401     | 403      | 403        | 403      | 409 early | 409 early
resumeTournament     live-event      | 401     | 401     | 403      | 403        | 403      | 404       | 200
resumeTournament     over-event      | 401     | 401     | 403      | 403        | 403      | 409 ended | 409 ended
resumeTournament     no-event        | 401     | 401     | 403      | 403        | 403      | 404       | 404
abortTournament      entry-event     | 401     | 401     | 403      | 403        | 403      | 200       | 200
abortTournament      live-event      | 401     | 401     | 403      | 403        | 403      | 404       | 200
abortTournament      over-event      | 401     | 401     | 403      | 403        | 403      | 200       | 200
abortTournament      no-event        | 401     | 401     | 403      | 403        | 403      | 404       | 404
listTables           entry-event     | 200     | 200     | 200      | 200        | 200      | 200       | 200
listTables           live-event      | 200     | 200     | 200      | 200        | 200      | 200       | 200
listTables           over-event      | 200     | 200     | 200      | 200        | 200      | 200       | 200
listTables           no-event        | 404     | 404     | 404      | 404        | 404      | 404       | 404
voidTable            entry-event     | 401     | 401     | 403      | 403        | 403      | 404       | 404
voidTable            live-event      | 401     | 401     | 403      | 403        | 403      | 404       | 200
voidTable            over-event      | 401     | 401     | 403      | 403        | 403      | 404       | 404
voidTable            no-event        | 401     | 401     | 403      | 403        | 403      | 404       | 404
getStandings         entry-event     | 200     | 200     | 200      | 200        | 200      | 200       | 200
getStandings         live-event      | 200     | 200     | 200      | 200        | 200      | 200       | 200
getStandings         over-event      | 200     | 200     | 200      | 200        | 200      | 200       | 200
getStandings         no-event        | 404     | 404     | 404      | 404        | 404      | 404       | 404
getCrosstable        entry-event     | 200     | 200     | 200      | 200        | 200      | 200       | 200
getCrosstable        live-event      | 200     | 200     | 200      | 200        | 200      | 200       | 200
getCrosstable        over-event      | 200     | 200     | 200      | 200        | 200      | 200       | 200
getCrosstable        no-event        | 404     | 404     | 404      | 404        | 404      | 404       | 404
listTournamentEvents entry-event     | 200     | 200     | 200      | 200        | 200      | 200       | 200
listTournamentEvents live-event      | 200     | 200     | 200      | 200        | 200      | 200       | 200
listTournamentEvents over-event      | 200     | 200     | 200      | 200        | 200      | 200       | 200
listTournamentEvents no-event        | 404     | 404     | 404      | 404        | 404      | 404       | 404
listTournamentEvents over-event text/event-stream | 200 | 200 | 200    | 200        | 200      | 200       | 200
listTournamentEvents no-event text/event-stream   | 404 | 404 | 404    | 404        | 404      | 404       | 404
exportTournament     entry-event     | 200     | 200     | 200      | 200        | 200      | 200       | 200
exportTournament     live-event      | 200     | 200     | 200      | 200        | 200      | 200       | 200
exportTournament     over-event      | 200     | 200     | 200      | 200        | 200      | 200       | 200
exportTournament     no-event        | 404     | 404     | 404      | 404        | 404      | 404       | 404
getLeaderboard                       | 200     | 200     | 200      | 200        | 200      | 200       | 200
getHealth                            | 200     | 200     | 200      | 200        | 200      | 200       | 200
getReadiness                         | 200     | 200     | 200      | 200        | 200      | 200       | 200
"""

WORDS: Final = {
    "unauthenticated": "401",
    "forbidden": "403",
    "not-found": "404",
    "invalid-request": "422",
    "game-not-started": "409 open",
    "game-not-finished": "409 on",
    "game-over": "409 over",
    "game-full": "409 full",
    "already-seated": "409 seated",
    "entry-closed": "409 closed",
    "entry-limit": "409 limit",
    "tournament-not-started": "409 early",
    "tournament-over": "409 ended",
}
"""How the table writes each problem: its status, and a word where several problems have that status."""

MISSING: Final = {
    "open": "no-game",
    "running": "no-game",
    "finished": "no-game",
    "her-bot": "no-bot",
    "her-token": "no-token",
    "her-old-token": "no-token",
    "entry-event": "no-event",
    "live-event": "no-event",
    "over-event": "no-event",
}
"""Each kind of object, and what stands for one that does not exist."""

KINDS_OF: Final = {
    "game_id": {"open", "running", "finished", "no-game"},
    "bot_id": {"her-bot", "no-bot"},
    "token_id": {"own-token", "her-token", "her-old-token", "no-token"},
    "tournament_id": {"entry-event", "live-event", "over-event", "no-event"},
}
"""The kinds of object that a part of a path can address."""


NUMBERS: Final = {"round_number", "table_number", "version"}
"""Parts of paths that are numbered, and have no id."""


@dataclass(frozen=True)
class Row:
    """What everybody gets for one operation on one kind of object."""

    operation: str
    words: tuple[str, ...]
    expected: dict[str, str]

    def __str__(self) -> str:
        return "-".join([self.operation, *self.words]).replace("/", "-")


def rows() -> list[Row]:
    """The rows of the table."""
    found = []
    for line in TABLE.strip().splitlines()[1:]:
        what, *cells = (part.strip() for part in line.split("|"))
        operation, *words = what.split()
        found.append(Row(operation, tuple(words), _by_actor(dict(zip(CALLERS, cells, strict=True)))))
    return found


def _by_actor(cells: dict[str, str]) -> dict[str, str]:
    bad = cells.pop("no good")
    return {"nobody": cells.pop("nobody")} | dict.fromkeys(NO_GOOD, bad) | cells


ROWS: Final = rows()


@pytest.fixture(scope="module")
def stage(app: Flask, document: Document, shared_service: Service) -> Stage:
    return Stage(Client(app, document), shared_service.arena)


def said(answer: TestResponse) -> str:
    """An answer as the table writes it."""
    if answer.status_code >= 400:
        word = WORDS[problem_code(answer)]
        assert word.startswith(str(answer.status_code))
        return word
    refused = [_word(result["problem"]) for result in _results(answer) if result["problem"] is not None]
    return " ".join([str(answer.status_code), *refused])


def _results(answer: TestResponse) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = members(answer).get("results", []) if answer.mimetype == "application/json" else []
    return found


def _word(problem: dict[str, Any]) -> str:
    return WORDS[problem["type"].rpartition(":")[2]].removeprefix("409 ")


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_everybody_gets_what_the_table_says(stage: Stage, row: Row) -> None:
    got = {name: said(stage.ask(row.operation, row.words, actor)[0]) for name, actor in stage.actors.items()}
    assert got == row.expected


def test_every_operation_of_the_document_has_its_rows(document: Document) -> None:
    assert {row.operation for row in ROWS} == {operation.operation_id for operation in document.operations()}
    for operation in document.operations():
        for name in operation.parameters("path").keys() - NUMBERS:
            tried = {row.words[0] for row in ROWS if row.operation == operation.operation_id}
            assert tried == KINDS_OF[name], operation.operation_id


def with_one_missing(row: Row) -> Iterator[tuple[str, ...]]:
    """The words of a row, with one of its objects after the other replaced by one that does not exist."""
    for index, word in enumerate(row.words):
        if word in MISSING:
            yield (*row.words[:index], MISSING[word], *row.words[index + 1 :])


def hidden_from(row: Row) -> list[str]:
    """The actors who must not learn from the answer that the object exists; 401 has not looked at it."""
    return [name for name, cell in row.expected.items() if cell in {"401", "404", "200 404", "422"}]


HIDING: Final = [row for row in ROWS if hidden_from(row) and any(with_one_missing(row))]


@pytest.mark.parametrize("row", HIDING, ids=str)
def test_what_somebody_may_not_have_is_to_the_byte_what_does_not_exist(stage: Stage, row: Row) -> None:
    for name in hidden_from(row):
        there = told(stage, row.operation, row.words, name)
        for words in with_one_missing(row):
            assert told(stage, row.operation, words, name) == there, name


def told(stage: Stage, operation: str, words: tuple[str, ...], actor: str) -> tuple[int, list[tuple[str, str]], bytes]:
    """All of an answer but the id of its request; what the actor itself has sent is left out of the body."""
    answer, sent = stage.ask(operation, words, stage.actors[actor])
    body = answer.data
    for identity in sent:
        body = body.replace(identity.encode(), b"?" * len(identity))
    return answer.status_code, [item for item in answer.headers if item[0] != "X-Request-Id"], body
