"""boards and tournaments."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema forward."""
    _add_boards()


def downgrade() -> None:
    """Take the schema back."""
    _drop_boards()


def _add_boards() -> None:
    """Games on duplicate boards, of events, and forked from others."""
    op.add_column("games", sa.Column("tournament_id", sa.Uuid(), nullable=True, comment="the event that it belongs to"))
    op.add_column(
        "games",
        sa.Column(
            "embargoed",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="while its board is in play at another table",
        ),
    )
    op.add_column(
        "games", sa.Column("forked_from", sa.Uuid(), nullable=True, comment="the game whose first events it repeats")
    )
    op.add_column("games", sa.Column("forked_version", sa.Integer(), nullable=True, comment="the last of them"))
    op.create_check_constraint(op.f("ck_games_forked"), "games", "(forked_from IS NULL) = (forked_version IS NULL)")
    op.create_index(
        "ix_games_tournament",
        "games",
        ["tournament_id", "created_at", "game_id"],
        unique=False,
        postgresql_where=sa.text("tournament_id IS NOT NULL"),
    )
    op.alter_column(
        "game_secrets", "seed", existing_type=sa.LargeBinary(), comment="the board's, where it is played on one"
    )
    op.add_column("game_secrets", sa.Column("board_id", sa.Uuid(), nullable=True, comment="the duplicate board"))
    op.add_column(
        "game_secrets",
        sa.Column("board_salt", sa.LargeBinary(), nullable=True, comment="hides the board in the commitment"),
    )
    op.create_check_constraint(
        op.f("ck_game_secrets_board"), "game_secrets", "(board_id IS NULL) = (board_salt IS NULL)"
    )


def _drop_boards() -> None:
    op.drop_constraint(op.f("ck_game_secrets_board"), "game_secrets", type_="check")
    op.drop_column("game_secrets", "board_salt")
    op.drop_column("game_secrets", "board_id")
    op.alter_column("game_secrets", "seed", existing_type=sa.LargeBinary(), comment=None)
    op.drop_index("ix_games_tournament", table_name="games", postgresql_where=sa.text("tournament_id IS NOT NULL"))
    op.drop_constraint(op.f("ck_games_forked"), "games", type_="check")
    op.drop_column("games", "forked_version")
    op.drop_column("games", "forked_from")
    op.drop_column("games", "embargoed")
    op.drop_column("games", "tournament_id")
