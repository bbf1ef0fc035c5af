"""Random results of tables, for property tests of everything that reads results. Asserts nothing."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from skyjo.scoring import ranks
from skyjo_server.tournaments.scoring import STAYED
from skyjo_server.tournaments.values import Cause, Outcome, Table, TableResult

LEFT = (Cause.FORFEIT, Cause.NO_SHOW, Cause.RESIGNED)


def played(
    table: int, seats: Sequence[int], totals: Sequence[int], *, board: int | None = None, complete: bool = True
) -> TableResult:
    """A table of the first round that everybody sat at to the end."""
    return ended(Table(0, table, board, tuple(seats)), totals, [Cause.FINISHED] * len(seats), complete=complete)


def ended(table: Table, totals: Sequence[int], causes: Sequence[Cause], *, complete: bool = True) -> TableResult:
    """A table with a result; seats that left rank last."""
    placed = ranks(totals, [cause not in STAYED for cause in causes])
    return TableResult(table, Outcome.FINISHED, tuple(totals), placed, tuple(causes), complete)


@st.composite
def results(draw: st.DrawFn, table: Table) -> TableResult:
    """Any way in which a table can end, most often with a result; one seat at least stays."""
    seats = len(table.seats)
    outcome = draw(st.sampled_from([Outcome.FINISHED] * 5 + [Outcome.VOID, Outcome.ABORTED, Outcome.CANCELLED]))
    if outcome is not Outcome.FINISHED:
        return TableResult(table, outcome, None, None, (Cause.VOID,) * seats)
    totals = draw(st.lists(st.integers(-30, 150), min_size=seats, max_size=seats))
    causes = draw(
        st.lists(st.sampled_from([Cause.FINISHED] * 6 + [Cause.TIMEOUT, *LEFT]), min_size=seats, max_size=seats)
    )
    causes[draw(st.integers(0, seats - 1))] = Cause.FINISHED
    return ended(table, totals, causes, complete=draw(st.sampled_from([True, True, True, False])))


@st.composite
def boards(draw: st.DrawFn, board: int | None = 3) -> list[TableResult]:
    """All tables of one board; one table if it is a deal of its own."""
    size = draw(st.integers(2, 8))
    tables = 1 if board is None else draw(st.integers(1, 6))
    return [
        draw(results(Table(0, table, board, tuple(range(table * size, (table + 1) * size))))) for table in range(tables)
    ]
