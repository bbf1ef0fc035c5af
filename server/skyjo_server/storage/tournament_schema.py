"""The tables of tournaments, beside those of :mod:`skyjo_server.storage.schema`. Holds no queries.

The log and the secrets are the truth; every other table can be derived from them and from the games. Every key of an
event's tables begins with `tournament_id`. The row in `tournaments` is what a process locks to move an event on.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from skyjo_server.storage.schema import METADATA

__all__ = ["METADATA"]

_NOW: Final = func.now()


def _event() -> Column[object]:
    return Column("tournament_id", Uuid, ForeignKey("tournaments.tournament_id"), primary_key=True)


TOURNAMENTS: Final = Table(
    "tournaments",
    METADATA,
    Column("tournament_id", Uuid, primary_key=True),
    Column("owner_id", Uuid, nullable=False),
    Column("creation_key", Text),
    Column("name", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("version", Integer, nullable=False, comment="of the last event of its log"),
    Column("options", JSONB, nullable=False),
    Column("commitment", LargeBinary, nullable=False),
    Column("boards_commitment", LargeBinary),
    Column("revealed", Boolean, nullable=False, server_default=text("false"), comment="whether the seed is public"),
    Column("entries", Integer, nullable=False, server_default="0"),
    Column("round", Integer, comment="the latest that has been paired"),
    Column("rounds", Integer),
    Column("tables_total", Integer, nullable=False, server_default="0"),
    Column("tables_over", Integer, nullable=False, server_default="0"),
    Column("tables_playing", Integer, nullable=False, server_default="0"),
    Column("start_at", DateTime(timezone=True)),
    Column("due", Boolean, nullable=False, server_default=text("false"), comment="whether a step has something to do"),
    Column("unranked", Boolean, nullable=False, server_default=text("false"), comment="scores newer than the ranks"),
    Column("rank_after", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Column("assessed", Integer, nullable=False, server_default="0", comment="tables over at the last assessment"),
    Column("assess_after", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Column("started_at", DateTime(timezone=True)),
    Column("finished_at", DateTime(timezone=True)),
    Column("verdict", JSONB, comment="of the sequential test"),
    UniqueConstraint("owner_id", "creation_key"),
    CheckConstraint("status IN ('entry', 'running', 'paused', 'finished', 'aborted')", name="status"),
    Index("ix_tournaments_created_at", "created_at", "tournament_id"),
    Index(
        "ix_tournaments_live",
        "tournament_id",
        postgresql_where=text("status IN ('entry', 'running', 'paused') OR due OR unranked OR assessed <> tables_over"),
    ),
    postgresql_with={"fillfactor": 70},
)

TOURNAMENT_SECRETS: Final = Table(
    "tournament_secrets",
    METADATA,
    _event(),
    Column("seed", LargeBinary, nullable=False),
)

TOURNAMENT_EVENTS: Final = Table(
    "tournament_events",
    METADATA,
    _event(),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("data", JSONB, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    CheckConstraint("version >= 0", name="version"),
)

TOURNAMENT_ENTRIES: Final = Table(
    "tournament_entries",
    METADATA,
    _event(),
    Column("entry", Integer, primary_key=True, autoincrement=False),
    Column("bot_id", Uuid),
    Column("owner_id", Uuid),
    Column("house", Text),
    Column("name", Text, nullable=False),
    Column("status", Text, nullable=False, server_default="active"),
    Column("reason", Text),
    Column("since_round", Integer, nullable=False, server_default="0"),
    Column("absences", SmallInteger, nullable=False, server_default="0", comment="games in a row that it never played"),
    Column("tables", Integer, nullable=False, server_default="0", comment="how many it has been paired for"),
    Column("entered_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    UniqueConstraint("tournament_id", "bot_id"),
    CheckConstraint("status IN ('active', 'withdrawn', 'disqualified')", name="status"),
    CheckConstraint("(bot_id IS NULL) <> (house IS NULL)", name="player"),
    Index("ix_tournament_entries_owner", "tournament_id", "owner_id"),
)

TOURNAMENT_TABLES: Final = Table(
    "tournament_tables",
    METADATA,
    _event(),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("attempt", SmallInteger, primary_key=True, autoincrement=False),
    Column("board", Integer, comment="the duplicate board"),
    Column("own_deal", Boolean, nullable=False, comment="whether it is played on a deal that no other table has"),
    Column("seats", ARRAY(Integer), nullable=False, comment="numbers of entries, in playing order"),
    Column("game_id", Uuid, unique=True),
    Column("outcome", Text, nullable=False, server_default="scheduled"),
    Column("totals", ARRAY(Integer)),
    Column("ranks", ARRAY(SmallInteger)),
    Column("causes", ARRAY(Text)),
    Column("complete", Boolean, comment="whether its result is compared across tables; known once it is over"),
    Column("scored", Boolean, nullable=False, server_default=text("false"), comment="whether the standings have it"),
    CheckConstraint("outcome IN ('scheduled', 'playing', 'finished', 'void', 'aborted', 'cancelled')", name="outcome"),
    Index("ix_tournament_tables_outcome", "tournament_id", "outcome", "round", "number", "attempt"),
    Index("ix_tournament_tables_board", "tournament_id", "board", postgresql_where=text("board IS NOT NULL")),
)

TOURNAMENT_SEATS: Final = Table(
    "tournament_seats",
    METADATA,
    _event(),
    Column("entry", Integer, primary_key=True, autoincrement=False),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("attempt", SmallInteger, primary_key=True, autoincrement=False),
)

TOURNAMENT_BOARD_OWNERS: Final = Table(
    "tournament_board_owners",
    METADATA,
    _event(),
    Column("board", Integer, primary_key=True, autoincrement=False),
    Column("owner_id", Uuid, primary_key=True),
    Column("round", Integer, nullable=False),
    Column("number", Integer, nullable=False),
)
"""Who has met which board: the key lets nobody meet one twice."""

TOURNAMENT_STANDINGS: Final = Table(
    "tournament_standings",
    METADATA,
    _event(),
    Column("entry", Integer, primary_key=True, autoincrement=False),
    Column("place", Integer, nullable=False, comment="the order of the rows, without ties"),
    Column("tally", JSONB, nullable=False, comment="sums over everything that counts for it"),
    Column("standing", JSONB, nullable=False, comment="its row of the ranking, as it was made last"),
    Column("rating", JSONB, comment="what the last assessment says about it"),
    Index("ix_tournament_standings_place", "tournament_id", "place"),
    postgresql_with={"fillfactor": 70},
)

TOURNAMENT_PAIRS: Final = Table(
    "tournament_pairs",
    METADATA,
    _event(),
    Column("entry", Integer, primary_key=True, autoincrement=False),
    Column("other", Integer, primary_key=True, autoincrement=False),
    Column("tables", Integer, nullable=False),
    Column("halves", Integer, nullable=False, comment="of match points that the entry got from the other"),
    Column("margin", Integer, nullable=False, comment="points that the other had more"),
    CheckConstraint("entry < other", name="order"),
)
"""The crosstable, each pair once."""

RATINGS: Final = Table(
    "ratings",
    METADATA,
    Column("player", Text, primary_key=True, comment="the bot's id, or 'house ' and its name"),
    Column("bot_id", Uuid),
    Column("house", Text),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("shown", Double, nullable=False),
    Column("games", Integer, nullable=False),
    CheckConstraint("(bot_id IS NULL) <> (house IS NULL)", name="player"),
    Index("ix_ratings_shown", text("shown DESC"), "player"),
)
