"""The longer statements of an event's book; rows travel as one JSON text each. Runs none of them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import text

ADD_TABLES: Final = text("""
WITH new AS (
    INSERT INTO tournament_tables (tournament_id, round, number, attempt, board, own_deal, seats)
    SELECT :id, t.round, t.number, t.attempt, t.board, t.own_deal, t.seats
    FROM json_to_recordset(CAST(:rows AS json)) AS t(
        round int, number int, attempt int, board int, own_deal boolean, seats int[]
    )
    RETURNING round, number, attempt, board, seats
), sat AS (
    SELECT new.round, new.number, new.attempt, new.board, s.entry FROM new, unnest(new.seats) AS s(entry)
), kept AS (
    INSERT INTO tournament_seats (tournament_id, entry, round, number, attempt)
    SELECT :id, entry, round, number, attempt FROM sat
), counted AS (
    UPDATE tournament_entries e SET tables = e.tables + c.more
    FROM (SELECT entry, count(*) AS more FROM sat WHERE attempt = 0 GROUP BY entry) AS c
    WHERE e.tournament_id = :id AND e.entry = c.entry
)
INSERT INTO tournament_board_owners (tournament_id, board, owner_id, round, number)
SELECT DISTINCT :id, sat.board, e.owner_id, sat.round, sat.number
FROM sat JOIN tournament_entries e ON e.tournament_id = :id AND e.entry = sat.entry
WHERE sat.board IS NOT NULL AND sat.attempt = 0 AND e.owner_id IS NOT NULL
""")

ENDED: Final = text("""
SELECT t.*, g.status AS game_status, g.result AS game_result, EXISTS (
    SELECT FROM events e JOIN game_seats s USING (game_id, seat)
    WHERE e.game_id = g.game_id AND e.cause = 'player' AND s.kind = 'bot'
) AS begun
FROM tournament_tables t JOIN games g USING (game_id)
WHERE t.tournament_id = :id AND t.outcome = 'playing' AND g.status NOT IN ('open', 'running')
ORDER BY t.round, t.number, t.attempt
""")

END: Final = text("""
UPDATE tournament_tables t
SET outcome = r.outcome, totals = r.totals, ranks = r.ranks, causes = r.causes, complete = r.complete,
    scored = (t.board IS NULL)
FROM json_to_recordset(CAST(:rows AS json)) AS r(
    round int, number int, attempt int, outcome text, totals int[], ranks smallint[], causes text[], complete boolean
)
WHERE t.tournament_id = :id AND (t.round, t.number, t.attempt) = (r.round, r.number, r.attempt)
""")

CANCEL: Final = text("""
UPDATE tournament_tables t
SET outcome = 'cancelled', complete = false, scored = (t.board IS NULL),
    causes = array_fill(CAST('void' AS text), ARRAY[cardinality(t.seats)])
WHERE t.tournament_id = :id AND t.outcome = 'scheduled' AND (CAST(:entry AS int) IS NULL OR EXISTS (
    SELECT FROM tournament_seats s WHERE s.tournament_id = :id AND s.entry = :entry
    AND (s.round, s.number, s.attempt) = (t.round, t.number, t.attempt)
))
RETURNING t.*
""")

DEALT: Final = text("""
UPDATE tournament_tables t SET outcome = 'playing', game_id = d.game_id
FROM json_to_recordset(CAST(:rows AS json)) AS d(round int, number int, attempt int, game_id uuid)
WHERE t.tournament_id = :id AND (t.round, t.number, t.attempt) = (d.round, d.number, d.attempt)
""")

BOARDS_OVER: Final = text("""
SELECT board FROM tournament_tables WHERE tournament_id = :id AND board = ANY(:boards)
GROUP BY board HAVING bool_and(outcome NOT IN ('scheduled', 'playing')) ORDER BY board
""")

LIFT: Final = text("""
UPDATE games g SET embargoed = false FROM tournament_tables t
WHERE t.tournament_id = :id AND t.board = ANY(:boards) AND g.game_id = t.game_id AND g.embargoed
""")

SCORED: Final = text("""
UPDATE tournament_tables SET scored = true WHERE tournament_id = :id AND board = ANY(:boards)
""")
