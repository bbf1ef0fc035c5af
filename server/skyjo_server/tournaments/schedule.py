"""From meetings to rounds: boards, seats and numbers of tables. Does not choose who meets whom.

A meeting is the set of entries that play one another, on as many boards as the shape says, each a table of its own.
Tables of a round are numbered board by board, so that boards which are played in the order of numbers end early.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from skyjo_server.tournaments.boards import Owners, most_of_one_owner, sections, sections_bound
from skyjo_server.tournaments.seating import even_seats, rotated
from skyjo_server.tournaments.values import Round, Shape, Table

Meeting = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stage:
    """What a round is made of.

    Attributes:
        meetings: who meets whom; the entries of one meeting in any order.
        byes: who meets nobody.
    """

    meetings: tuple[Meeting, ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Boards:
    """The boards of a round.

    Attributes:
        first: number of its first board.
        owners: of all entries.
    """

    first: int
    owners: Owners

    def of(self, shape: Shape, stage: Stage, games: int) -> list[int | None]:
        """The board of every table: the games of each section's meetings, one board after another."""
        if not shape.duplicate:
            return [None] * (games * len(stage.meetings))
        section_of = sections(stage.meetings, self.owners)
        return [self.first + section * games + game for game in range(games) for section in section_of]


def rotation_round(shape: Shape, number: int, stage: Stage, boards: Boards, games: int) -> Round:
    """A round in which each meeting is played in every rotation of its seats.

    Args:
        shape: of the event.
        number: of the round.
        stage: who meets whom.
        boards: where the boards of the round begin, and who may not share one.
        games: games of a meeting, a multiple of the seats of a table; each on a board of its own.
    """
    seats = [rotated(meeting, game) for game in range(games) for meeting in stage.meetings]
    return _round(number, seats, boards.of(shape, stage, games), stage.byes)


def even_rounds(shape: Shape, stages: Sequence[Stage], owners: Owners) -> tuple[Round, ...]:
    """All rounds of an event that is known from its start, seats even over the whole of it.

    Where the games of a meeting are enough for it, they are played in every rotation; the seats of those that are left
    over are made even over all meetings.
    """
    left_over = shape.boards % shape.table_size
    whole = shape.boards - left_over
    uneven = [meeting for stage in stages for _ in range(left_over) for meeting in stage.meetings]
    even = iter(even_seats(uneven, shape.table_size))
    boards_a_round = shape.boards * sections_bound(shape.table_size, most_of_one_owner(owners))
    rounds = []
    for number, stage in enumerate(stages):
        seats = [rotated(meeting, game) for game in range(whole) for meeting in stage.meetings]
        seats += [next(even) for _ in range(left_over) for _ in stage.meetings]
        boards = Boards(number * boards_a_round, owners).of(shape, stage, shape.boards)
        rounds.append(_round(number, seats, boards, stage.byes))
    return tuple(rounds)


def _round(number: int, seats: Sequence[Meeting], boards: Sequence[int | None], byes: Iterable[int]) -> Round:
    tables = (Table(number, table, board, at) for table, (at, board) in enumerate(zip(seats, boards, strict=True)))
    return Round(number, tuple(tables), tuple(sorted(byes)))
