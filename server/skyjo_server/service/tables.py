"""The tables that a process has in memory, and how they are kept true. Decides nothing about a game.

A table in memory may be behind. A read asks for the news first; a move does not: its commit names the version that it
expects, and fails if the table was behind.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from uuid import UUID

from skyjo_server.service.errors import GameNotStarted, NotFound, ServiceError, Unauthenticated
from skyjo_server.service.model import Caller, GameStatus
from skyjo_server.service.ports import Fresh, GameLog, Waiting
from skyjo_server.service.table import Table


class Tables:
    """The most recently used tables.

    Args:
        log: where the truth is.
        capacity: tables kept at most.
    """

    def __init__(self, log: GameLog, capacity: int) -> None:
        self._log = log
        self._capacity = capacity
        self._lock = threading.Lock()
        self._tables: OrderedDict[UUID, Table] = OrderedDict()

    def cached(self, game_id: UUID) -> Table:
        """A table that may be behind.

        Raises:
            NotFound, GameNotStarted: if there is none.
        """
        with self._lock:
            table = self._tables.get(game_id)
            if table is not None:
                self._tables.move_to_end(game_id)
        return self._load(game_id) if table is None else table

    def fresh(self, game_id: UUID, caller: Caller | None = None) -> Table:
        """A table with all its news, seen in one statement together with the caller's token.

        Raises:
            NotFound, GameNotStarted: if there is none.
            Unauthenticated: if the caller's token is not good any more.
        """
        try:
            table = self.cached(game_id)
        except ServiceError:
            self.prove(caller)
            raise
        news = self._log.fresh(game_id, table.state.version, None if caller is None else caller.token_id)
        if news is None:
            raise NotFound
        if not news.token_good:
            raise Unauthenticated("the token has been revoked")
        return self.keep(_with_news(table, news))

    def prove(self, caller: Caller | None) -> None:
        """See that a caller's token is good still, where no other statement does.

        Raises:
            Unauthenticated: if it is not.
        """
        if caller is not None and not self._log.is_good(caller.token_id):
            raise Unauthenticated("the token has been revoked")

    def of_waiting(self, waiting: Sequence[Waiting]) -> dict[UUID, Table]:
        """The tables at which decisions wait, with all their news: those at the version just read have none."""
        tables: dict[UUID, Table] = {}
        behind: dict[UUID, Table] = {}
        for item in waiting:
            table = self.cached(item.game_id)
            if table.state.version == item.version:
                tables[item.game_id] = table.with_clock_started(item.clock_started)
            else:
                behind[item.game_id] = table
        return tables | self._brought_up(behind) if behind else tables

    def _brought_up(self, behind: Mapping[UUID, Table]) -> dict[UUID, Table]:
        news = self._log.fresh_many([(game_id, table.state.version) for game_id, table in behind.items()])
        return {game_id: self.keep(_with_news(table, news[game_id])) for game_id, table in behind.items()}

    def keep(self, table: Table) -> Table:
        """Remember a table, unless a newer one is known; gives the table as it came."""
        with self._lock:
            known = self._tables.get(table.setup.game_id)
            if known is None or known.state.version <= table.state.version:
                self._tables[table.setup.game_id] = table
                self._tables.move_to_end(table.setup.game_id)
            if len(self._tables) > self._capacity:
                self._tables.popitem(last=False)
        return table

    def _load(self, game_id: UUID) -> Table:
        stored = self._log.load(game_id)
        if stored is None:
            raise NotFound
        if stored.info.status is GameStatus.OPEN:
            raise GameNotStarted
        return self.keep(Table.of(stored))


def _with_news(table: Table, news: Fresh) -> Table:
    return table.advanced(news.events, news.status).with_clock_started(news.clock_started).with_embargo(news.embargoed)
