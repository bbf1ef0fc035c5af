"""the first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema forward."""
    op.create_table(
        "events",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=True),
        sa.Column("action", sa.Text(), nullable=True),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("opener", sa.SmallInteger(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("thinking_seconds", sa.Double(), nullable=True),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("version >= 0", name=op.f("ck_events_version")),
        sa.PrimaryKeyConstraint("game_id", "version", name=op.f("pk_events")),
    )
    op.create_table(
        "games",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("creation_key", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column(
            "to_act", sa.SmallInteger(), server_default="0", nullable=False, comment="bit mask of the seats awaited"
        ),
        sa.Column(
            "left_seats",
            sa.SmallInteger(),
            server_default="0",
            nullable=False,
            comment="bit mask of the seats that left",
        ),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=True),
        sa.Column("rules", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("commitment", sa.LargeBinary(), nullable=False),
        sa.Column(
            "clock_started",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="when the current decisions began; moved on by downtime",
        ),
        sa.Column(
            "last_thinking",
            sa.Double(),
            nullable=True,
            comment="seconds that the last commit's first event had been waited for",
        ),
        sa.Column("move_seconds", sa.Double(), nullable=True),
        sa.Column("bank_seconds", sa.Double(), nullable=False),
        sa.Column("on_timeout", sa.Text(), nullable=False),
        sa.Column("max_timeouts", sa.SmallInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("result", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.CheckConstraint("on_timeout IN ('default', 'forfeit')", name=op.f("ck_games_on_timeout")),
        sa.CheckConstraint(
            "status IN ('open', 'running', 'finished', 'void', 'aborted')", name=op.f("ck_games_status")
        ),
        sa.CheckConstraint("version >= -1", name=op.f("ck_games_version")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_games")),
        sa.UniqueConstraint("owner_id", "creation_key", name=op.f("uq_games_owner_id_creation_key")),
        postgresql_with={"fillfactor": 70},
    )
    op.create_index("ix_games_created_at", "games", ["created_at", "game_id"], unique=False)
    op.create_index(
        "ix_games_running", "games", ["game_id"], unique=False, postgresql_where=sa.text("status = 'running'")
    )
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column(
            "at", sa.DateTime(timezone=True), nullable=False, comment="when a process of the service was last alive"
        ),
        sa.CheckConstraint("id = 1", name=op.f("ck_heartbeat_single")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_heartbeat")),
    )
    op.create_table(
        "owners",
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("owner_id", name=op.f("pk_owners")),
    )
    op.create_table(
        "submissions",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("sent_version", sa.Integer(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("answer_version", sa.Integer(), nullable=False),
        sa.Column("replays", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", "key", name=op.f("pk_submissions")),
    )
    op.create_table(
        "bots",
        sa.Column("bot_id", sa.Uuid(), nullable=False),
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.owner_id"], name=op.f("fk_bots_owner_id")),
        sa.PrimaryKeyConstraint("bot_id", name=op.f("pk_bots")),
    )
    op.create_index("ix_bots_owner_id", "bots", ["owner_id"], unique=False)
    op.create_index("uq_bots_name_folded", "bots", [sa.literal_column("lower(name)")], unique=True)
    op.create_table(
        "game_seats",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("bot_id", sa.Uuid(), nullable=True),
        sa.Column("owner_id", sa.Uuid(), nullable=True),
        sa.Column("house", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("entropy", sa.LargeBinary(), server_default=sa.text("''::bytea"), nullable=False),
        sa.Column(
            "active",
            sa.Boolean(),
            server_default=sa.text("true"),
            nullable=False,
            comment="false once the game is over",
        ),
        sa.CheckConstraint("kind IN ('bot', 'house', 'open')", name=op.f("ck_game_seats_kind")),
        sa.CheckConstraint("seat BETWEEN 0 AND 7", name=op.f("ck_game_seats_seat")),
        sa.ForeignKeyConstraint(["game_id"], ["games.game_id"], name=op.f("fk_game_seats_game_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_game_seats")),
    )
    op.create_index(
        "ix_game_seats_active_bot",
        "game_seats",
        ["bot_id"],
        unique=False,
        postgresql_where=sa.text("active AND bot_id IS NOT NULL"),
    )
    op.create_index("ix_game_seats_bot", "game_seats", ["bot_id", "game_id"], unique=False)
    op.create_table(
        "game_secrets",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.game_id"], name=op.f("fk_game_secrets_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_game_secrets")),
    )
    op.create_table(
        "tokens",
        sa.Column("token_id", sa.Uuid(), nullable=False),
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("bot_id", sa.Uuid(), nullable=True),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("scope IN ('bot', 'organiser', 'admin')", name=op.f("ck_tokens_scope")),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.bot_id"], name=op.f("fk_tokens_bot_id")),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.owner_id"], name=op.f("fk_tokens_owner_id")),
        sa.PrimaryKeyConstraint("token_id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("digest", name=op.f("uq_tokens_digest")),
    )


def downgrade() -> None:
    """Take the schema back."""
    op.drop_table("tokens")
    op.drop_table("game_secrets")
    op.drop_index("ix_game_seats_bot", table_name="game_seats")
    op.drop_index(
        "ix_game_seats_active_bot", table_name="game_seats", postgresql_where=sa.text("active AND bot_id IS NOT NULL")
    )
    op.drop_table("game_seats")
    op.drop_index("uq_bots_name_folded", table_name="bots")
    op.drop_index("ix_bots_owner_id", table_name="bots")
    op.drop_table("bots")
    op.drop_table("submissions")
    op.drop_table("owners")
    op.drop_table("heartbeat")
    op.drop_index("ix_games_running", table_name="games", postgresql_where=sa.text("status = 'running'"))
    op.drop_index("ix_games_created_at", table_name="games")
    op.drop_table("games")
    op.drop_table("events")
