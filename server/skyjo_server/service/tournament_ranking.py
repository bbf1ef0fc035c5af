"""Ranking an event, and live ratings: what the pure functions are given, and where their answers go. Scores nothing."""

from __future__ import annotations

from collections.abc import Sequence

from skyjo import boards
from skyjo_server.service.tournament_pairing import stages
from skyjo_server.service.tournament_ports import Book
from skyjo_server.service.tournament_schedule import player_of
from skyjo_server.tournaments.live import LiveRating, updated
from skyjo_server.tournaments.standings import TIE_BREAKS, TieBreak, ranked
from skyjo_server.tournaments.values import RANK_LOTS, Format, TableResult


def rank(book: Book, pause_seconds: float) -> None:
    """Make the ranking anew; it stays as it is for a while then, unless the event ends."""
    event = book.event
    shape, tallies = event.info.new.shape, book.tallies()
    by_meetings = {TieBreak.BUCHHOLZ, TieBreak.DIRECT}.intersection(TIE_BREAKS[shape.format])
    met = book.met() if by_meetings else None
    how_far = stages(book) if shape.format is Format.KNOCKOUT else None
    lots = boards.lots(event.seed, event.info.id, RANK_LOTS, len(tallies))
    book.rank(ranked(shape, tallies, met=met, stages=how_far, lots=lots), pause_seconds)


def rate(book: Book, results: Sequence[TableResult]) -> None:
    """Move the live ratings by results; a table at which one player sits twice says nothing about anybody."""
    finished = [(result, result.ranks) for result in results if result.ranks is not None]
    if not finished:
        return
    seated = {entry for result, _ in finished for entry in result.table.seats}
    players = {each.info.number: player_of(each) for each in book.entries(seated)}
    ratings = dict(book.ratings(players.values()))
    for result, ranks in finished:
        names = [players[entry] for entry in result.table.seats]
        if len(set(names)) == len(names):
            moved = updated([ratings.get(name, LiveRating()) for name in names], ranks)
            ratings.update(zip(names, moved, strict=True))
    book.save_ratings(ratings)
