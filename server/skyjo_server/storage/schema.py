"""The tables. The log is the truth; everything else can be derived from it. Holds no queries.

Every key of a game's tables begins with `game_id`, no sequence is a cursor, and nothing needs an extension, so the same
schema can be distributed by `game_id`. The primary key `(game_id, version)` of the log decides who wins a version.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_NOW: Final = func.now()

OWNERS: Final = Table(
    "owners",
    METADATA,
    Column("owner_id", Uuid, primary_key=True),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
)

BOTS: Final = Table(
    "bots",
    METADATA,
    Column("bot_id", Uuid, primary_key=True),
    Column("owner_id", Uuid, ForeignKey("owners.owner_id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Index("uq_bots_name_folded", text("lower(name)"), unique=True),
    Index("ix_bots_owner_id", "owner_id"),
)

TOKENS: Final = Table(
    "tokens",
    METADATA,
    Column("token_id", Uuid, primary_key=True),
    Column("owner_id", Uuid, ForeignKey("owners.owner_id"), nullable=False),
    Column("bot_id", Uuid, ForeignKey("bots.bot_id")),
    Column("scope", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("prefix", Text, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Column("revoked_at", DateTime(timezone=True)),
    CheckConstraint("scope IN ('bot', 'organiser', 'admin')", name="scope"),
)

GAMES: Final = Table(
    "games",
    METADATA,
    Column("game_id", Uuid, primary_key=True),
    Column("owner_id", Uuid, nullable=False),
    Column("creation_key", Text),
    Column("status", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("to_act", SmallInteger, nullable=False, server_default="0", comment="bit mask of the seats awaited"),
    Column("left_seats", SmallInteger, nullable=False, server_default="0", comment="bit mask of the seats that left"),
    Column("deadline", DateTime(timezone=True)),
    Column("rules", JSONB, nullable=False),
    Column("commitment", LargeBinary, nullable=False),
    Column("clock_started", DateTime(timezone=True), comment="when the current decisions began; moved on by downtime"),
    Column("last_thinking", Double, comment="seconds that the last commit's first event had been waited for"),
    Column("move_seconds", Double),
    Column("bank_seconds", Double, nullable=False),
    Column("on_timeout", Text, nullable=False),
    Column("max_timeouts", SmallInteger, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Column("started_at", DateTime(timezone=True)),
    Column("finished_at", DateTime(timezone=True)),
    Column("result", JSONB),
    Column("tournament_id", Uuid, comment="the event that it belongs to"),
    Column(
        "embargoed",
        Boolean,
        nullable=False,
        server_default=text("false"),
        comment="while its board is in play at another table",
    ),
    Column("forked_from", Uuid, comment="the game whose first events it repeats"),
    Column("forked_version", Integer, comment="the last of them"),
    UniqueConstraint("owner_id", "creation_key"),
    CheckConstraint("status IN ('open', 'running', 'finished', 'void', 'aborted')", name="status"),
    CheckConstraint("on_timeout IN ('default', 'forfeit')", name="on_timeout"),
    CheckConstraint("version >= -1", name="version"),
    CheckConstraint("(forked_from IS NULL) = (forked_version IS NULL)", name="forked"),
    Index("ix_games_created_at", "created_at", "game_id"),
    Index("ix_games_running", "game_id", postgresql_where=text("status = 'running'")),
    Index("ix_games_finished_at", "finished_at", postgresql_where=text("finished_at IS NOT NULL")),
    Index(
        "ix_games_tournament",
        "tournament_id",
        "created_at",
        "game_id",
        postgresql_where=text("tournament_id IS NOT NULL"),
    ),
    # Moves update `version`, `to_act` and `deadline` in place: room on the page keeps them off the indexes.
    postgresql_with={"fillfactor": 70},
)

GAME_SEATS: Final = Table(
    "game_seats",
    METADATA,
    Column("game_id", Uuid, ForeignKey("games.game_id"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("bot_id", Uuid),
    Column("owner_id", Uuid),
    Column("house", Text),
    Column("name", Text),
    Column("entropy", LargeBinary, nullable=False, server_default=text("''::bytea")),
    Column("active", Boolean, nullable=False, server_default=text("true"), comment="false once the game is over"),
    CheckConstraint("kind IN ('bot', 'house', 'open')", name="kind"),
    CheckConstraint("seat BETWEEN 0 AND 7", name="seat"),
    Index("ix_game_seats_active_bot", "bot_id", postgresql_where=text("active AND bot_id IS NOT NULL")),
    Index("ix_game_seats_bot", "bot_id", "game_id"),
)

GAME_SECRETS: Final = Table(
    "game_secrets",
    METADATA,
    Column("game_id", Uuid, ForeignKey("games.game_id"), primary_key=True),
    Column("seed", LargeBinary, nullable=False, comment="the board's, where it is played on one"),
    Column("board_id", Uuid, comment="the duplicate board"),
    Column("board_salt", LargeBinary, comment="hides the board in the commitment"),
    CheckConstraint("(board_id IS NULL) = (board_salt IS NULL)", name="board"),
)

EVENTS: Final = Table(
    "events",
    METADATA,
    Column("game_id", Uuid, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("seat", SmallInteger),
    Column("action", Text),
    Column("cause", Text, nullable=False),
    Column("facts", Text, nullable=False),
    Column("opener", SmallInteger),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("thinking_seconds", Double),
    Column("hash", LargeBinary, nullable=False),
    CheckConstraint("version >= 0", name="version"),
)

SUBMISSIONS: Final = Table(
    "submissions",
    METADATA,
    Column("game_id", Uuid, primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("key", Text, primary_key=True),
    Column("sent_version", Integer, nullable=False),
    Column("action", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("answer_version", Integer, nullable=False),
    Column("replays", BigInteger, nullable=False, server_default="0"),
)

TRANSCRIPTS: Final = Table(
    "transcripts",
    METADATA,
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("version", Integer, nullable=False),
    Column("game_id", Uuid, primary_key=True),
    Column("tournament_id", Uuid),
    Column("status", Text, nullable=False),
    Column("bots", ARRAY(Uuid), comment="at its seats, in their order; null = house bots alone"),
    Column("body", LargeBinary, nullable=False, comment="all that rules and seed do not give, packed"),
    CheckConstraint("status IN ('finished', 'void', 'aborted')", name="status"),
    CheckConstraint("version >= 0", name="version"),
    Index("ix_transcripts_created_at", "created_at", "game_id"),
    Index("ix_transcripts_bots", "bots", postgresql_using="gin", postgresql_with={"fastupdate": "off"}),
    Index(
        "ix_transcripts_tournament",
        "tournament_id",
        "created_at",
        "game_id",
        postgresql_where=text("tournament_id IS NOT NULL"),
    ),
    Index("ix_transcripts_stopped", "created_at", "game_id", postgresql_where=text("status <> 'finished'")),
)
"""Finished games, each in one row that takes the place of its rows in all tables above."""

TRANSCRIPT_RECEIPTS: Final = Table(
    "transcript_receipts",
    METADATA,
    Column("game_id", Uuid, primary_key=True),
    Column("owner_id", Uuid, nullable=False),
    Column("creation_key", Text),
    Column("finished_at", DateTime(timezone=True), nullable=False),
    Column("receipts", LargeBinary, nullable=False, comment="packed rows of submissions"),
    Column("replays", BigInteger, nullable=False, server_default="0"),
    Index(
        "uq_transcript_receipts_creation_key",
        "owner_id",
        "creation_key",
        unique=True,
        postgresql_where=text("creation_key IS NOT NULL"),
    ),
    Index("ix_transcript_receipts_finished_at", "finished_at"),
)
"""What is kept for a while of a finished game, so that what was sent before is answered as it was."""

HEARTBEAT: Final = Table(
    "heartbeat",
    METADATA,
    Column("id", SmallInteger, primary_key=True, autoincrement=False),
    Column("at", DateTime(timezone=True), nullable=False, comment="when a process of the service was last alive"),
    CheckConstraint("id = 1", name="single"),
)
