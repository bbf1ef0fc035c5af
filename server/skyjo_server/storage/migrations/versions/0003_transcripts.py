"""transcripts of finished games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema forward."""
    op.create_index(
        "ix_games_finished_at",
        "games",
        ["finished_at"],
        unique=False,
        postgresql_where=sa.text("finished_at IS NOT NULL"),
    )
    _add_transcripts()
    _add_receipts()


def downgrade() -> None:
    """Take the schema back; games that are transcripts by then are lost."""
    op.drop_table("transcript_receipts")
    op.drop_table("transcripts")
    op.drop_index("ix_games_finished_at", table_name="games", postgresql_where=sa.text("finished_at IS NOT NULL"))


def _add_transcripts() -> None:
    op.create_table(
        "transcripts",
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("tournament_id", sa.Uuid(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column(
            "bots",
            postgresql.ARRAY(sa.Uuid()),
            nullable=True,
            comment="at its seats, in their order; null = house bots alone",
        ),
        sa.Column("body", sa.LargeBinary(), nullable=False, comment="all that rules and seed do not give, packed"),
        sa.CheckConstraint("status IN ('finished', 'void', 'aborted')", name=op.f("ck_transcripts_status")),
        sa.CheckConstraint("version >= 0", name=op.f("ck_transcripts_version")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_transcripts")),
    )
    # It is packed: PostgreSQL would only try in vain to compress it further.
    op.execute("ALTER TABLE transcripts ALTER COLUMN body SET STORAGE EXTERNAL")
    op.create_index("ix_transcripts_created_at", "transcripts", ["created_at", "game_id"], unique=False)
    op.create_index(
        "ix_transcripts_bots",
        "transcripts",
        ["bots"],
        unique=False,
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
    )
    op.create_index(
        "ix_transcripts_tournament",
        "transcripts",
        ["tournament_id", "created_at", "game_id"],
        unique=False,
        postgresql_where=sa.text("tournament_id IS NOT NULL"),
    )
    op.create_index(
        "ix_transcripts_stopped",
        "transcripts",
        ["created_at", "game_id"],
        unique=False,
        postgresql_where=sa.text("status <> 'finished'"),
    )


def _add_receipts() -> None:
    op.create_table(
        "transcript_receipts",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("creation_key", sa.Text(), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("receipts", sa.LargeBinary(), nullable=False, comment="packed rows of submissions"),
        sa.Column("replays", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_transcript_receipts")),
    )
    op.execute("ALTER TABLE transcript_receipts ALTER COLUMN receipts SET STORAGE EXTERNAL")
    op.create_index(
        "uq_transcript_receipts_creation_key",
        "transcript_receipts",
        ["owner_id", "creation_key"],
        unique=True,
        postgresql_where=sa.text("creation_key IS NOT NULL"),
    )
    op.create_index("ix_transcript_receipts_finished_at", "transcript_receipts", ["finished_at"], unique=False)
