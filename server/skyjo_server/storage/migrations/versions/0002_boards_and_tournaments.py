"""boards and tournaments."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema forward."""
    _add_boards()
    _add_tournaments()


def downgrade() -> None:
    """Take the schema back."""
    _drop_tournaments()
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


def _add_tournaments() -> None:
    """Events: their logs, and what is derived from them."""
    op.create_table(
        "ratings",
        sa.Column("player", sa.Text(), nullable=False, comment="the bot's id, or 'house ' and its name"),
        sa.Column("bot_id", sa.Uuid(), nullable=True),
        sa.Column("house", sa.Text(), nullable=True),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("shown", sa.Double(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.CheckConstraint("(bot_id IS NULL) <> (house IS NULL)", name=op.f("ck_ratings_player")),
        sa.PrimaryKeyConstraint("player", name=op.f("pk_ratings")),
    )
    op.create_index("ix_ratings_shown", "ratings", [sa.literal_column("shown DESC"), "player"], unique=False)
    op.create_table(
        "tournaments",
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("creation_key", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False, comment="of the last event of its log"),
        sa.Column("options", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("commitment", sa.LargeBinary(), nullable=False),
        sa.Column("boards_commitment", sa.LargeBinary(), nullable=True),
        sa.Column(
            "revealed",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="whether the seed is public",
        ),
        sa.Column("entries", sa.Integer(), server_default="0", nullable=False),
        sa.Column("round", sa.Integer(), nullable=True, comment="the latest that has been paired"),
        sa.Column("rounds", sa.Integer(), nullable=True),
        sa.Column("tables_total", sa.Integer(), server_default="0", nullable=False),
        sa.Column("tables_over", sa.Integer(), server_default="0", nullable=False),
        sa.Column("tables_playing", sa.Integer(), server_default="0", nullable=False),
        sa.Column("start_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "due",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="whether a step has something to do",
        ),
        sa.Column(
            "unranked",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="scores newer than the ranks",
        ),
        sa.Column("rank_after", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column(
            "assessed", sa.Integer(), server_default="0", nullable=False, comment="tables over at the last assessment"
        ),
        sa.Column("assess_after", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("verdict", postgresql.JSONB(astext_type=sa.Text()), nullable=True, comment="of the sequential test"),
        sa.CheckConstraint(
            "status IN ('entry', 'running', 'paused', 'finished', 'aborted')", name=op.f("ck_tournaments_status")
        ),
        sa.PrimaryKeyConstraint("tournament_id", name=op.f("pk_tournaments")),
        sa.UniqueConstraint("owner_id", "creation_key", name=op.f("uq_tournaments_owner_id_creation_key")),
        postgresql_with={"fillfactor": 70},
    )
    op.create_index("ix_tournaments_created_at", "tournaments", ["created_at", "tournament_id"], unique=False)
    op.create_index(
        "ix_tournaments_live",
        "tournaments",
        ["tournament_id"],
        unique=False,
        postgresql_where=sa.text(
            "status IN ('entry', 'running', 'paused') OR due OR unranked OR assessed <> tables_over"
        ),
    )
    op.create_table(
        "tournament_board_owners",
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("board", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.tournament_id"], name=op.f("fk_tournament_board_owners_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "board", "owner_id", name=op.f("pk_tournament_board_owners")),
    )
    op.create_table(
        "tournament_entries",
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("entry", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("bot_id", sa.Uuid(), nullable=True),
        sa.Column("owner_id", sa.Uuid(), nullable=True),
        sa.Column("house", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), server_default="active", nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("since_round", sa.Integer(), server_default="0", nullable=False),
        sa.Column(
            "absences",
            sa.SmallInteger(),
            server_default="0",
            nullable=False,
            comment="games in a row that it never played",
        ),
        sa.Column(
            "tables", sa.Integer(), server_default="0", nullable=False, comment="how many it has been paired for"
        ),
        sa.Column("entered_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "status IN ('active', 'withdrawn', 'disqualified')", name=op.f("ck_tournament_entries_status")
        ),
        sa.CheckConstraint("(bot_id IS NULL) <> (house IS NULL)", name=op.f("ck_tournament_entries_player")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.tournament_id"], name=op.f("fk_tournament_entries_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "entry", name=op.f("pk_tournament_entries")),
        sa.UniqueConstraint("tournament_id", "bot_id", name=op.f("uq_tournament_entries_tournament_id_bot_id")),
    )
    op.create_index("ix_tournament_entries_owner", "tournament_entries", ["tournament_id", "owner_id"], unique=False)
    op.create_table(
        "tournament_events",
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("data", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("version >= 0", name=op.f("ck_tournament_events_version")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.tournament_id"], name=op.f("fk_tournament_events_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "version", name=op.f("pk_tournament_events")),
    )
    op.create_table(
        "tournament_pairs",
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("entry", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("other", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("tables", sa.Integer(), nullable=False),
        sa.Column("halves", sa.Integer(), nullable=False, comment="of match points that the entry got from the other"),
        sa.Column("margin", sa.Integer(), nullable=False, comment="points that the other had more"),
        sa.CheckConstraint("entry < other", name=op.f("ck_tournament_pairs_order")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.tournament_id"], name=op.f("fk_tournament_pairs_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "entry", "other", name=op.f("pk_tournament_pairs")),
    )
    op.create_table(
        "tournament_seats",
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("entry", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("attempt", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.tournament_id"], name=op.f("fk_tournament_seats_tournament_id")
        ),
        sa.PrimaryKeyConstraint(
            "tournament_id", "entry", "round", "number", "attempt", name=op.f("pk_tournament_seats")
        ),
    )
    op.create_table(
        "tournament_secrets",
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.tournament_id"], name=op.f("fk_tournament_secrets_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", name=op.f("pk_tournament_secrets")),
    )
    op.create_table(
        "tournament_standings",
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("entry", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False, comment="the order of the rows, without ties"),
        sa.Column(
            "tally",
            postgresql.JSONB(astext_type=sa.Text()),
            nullable=False,
            comment="sums over everything that counts for it",
        ),
        sa.Column(
            "standing",
            postgresql.JSONB(astext_type=sa.Text()),
            nullable=False,
            comment="its row of the ranking, as it was made last",
        ),
        sa.Column(
            "rating",
            postgresql.JSONB(astext_type=sa.Text()),
            nullable=True,
            comment="what the last assessment says about it",
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.tournament_id"], name=op.f("fk_tournament_standings_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "entry", name=op.f("pk_tournament_standings")),
        postgresql_with={"fillfactor": 70},
    )
    op.create_index("ix_tournament_standings_place", "tournament_standings", ["tournament_id", "place"], unique=False)
    op.create_table(
        "tournament_tables",
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("attempt", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("board", sa.Integer(), nullable=True, comment="the duplicate board"),
        sa.Column(
            "own_deal", sa.Boolean(), nullable=False, comment="whether it is played on a deal that no other table has"
        ),
        sa.Column(
            "seats", postgresql.ARRAY(sa.Integer()), nullable=False, comment="numbers of entries, in playing order"
        ),
        sa.Column("game_id", sa.Uuid(), nullable=True),
        sa.Column("outcome", sa.Text(), server_default="scheduled", nullable=False),
        sa.Column("totals", postgresql.ARRAY(sa.Integer()), nullable=True),
        sa.Column("ranks", postgresql.ARRAY(sa.SmallInteger()), nullable=True),
        sa.Column("causes", postgresql.ARRAY(sa.Text()), nullable=True),
        sa.Column(
            "complete",
            sa.Boolean(),
            nullable=True,
            comment="whether its result is compared across tables; known once it is over",
        ),
        sa.Column(
            "scored",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="whether the standings have it",
        ),
        sa.CheckConstraint(
            "outcome IN ('scheduled', 'playing', 'finished', 'void', 'aborted', 'cancelled')",
            name=op.f("ck_tournament_tables_outcome"),
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.tournament_id"], name=op.f("fk_tournament_tables_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "round", "number", "attempt", name=op.f("pk_tournament_tables")),
        sa.UniqueConstraint("game_id", name=op.f("uq_tournament_tables_game_id")),
    )
    op.create_index(
        "ix_tournament_tables_board",
        "tournament_tables",
        ["tournament_id", "board"],
        unique=False,
        postgresql_where=sa.text("board IS NOT NULL"),
    )
    op.create_index(
        "ix_tournament_tables_outcome",
        "tournament_tables",
        ["tournament_id", "outcome", "round", "number", "attempt"],
        unique=False,
    )


def _drop_tournaments() -> None:
    op.drop_index("ix_tournament_tables_outcome", table_name="tournament_tables")
    op.drop_index(
        "ix_tournament_tables_board", table_name="tournament_tables", postgresql_where=sa.text("board IS NOT NULL")
    )
    op.drop_table("tournament_tables")
    op.drop_index("ix_tournament_standings_place", table_name="tournament_standings")
    op.drop_table("tournament_standings")
    op.drop_table("tournament_secrets")
    op.drop_table("tournament_seats")
    op.drop_table("tournament_pairs")
    op.drop_table("tournament_events")
    op.drop_index("ix_tournament_entries_owner", table_name="tournament_entries")
    op.drop_table("tournament_entries")
    op.drop_table("tournament_board_owners")
    op.drop_index(
        "ix_tournaments_live",
        table_name="tournaments",
        postgresql_where=sa.text(
            "status IN ('entry', 'running', 'paused') OR due OR unranked OR assessed <> tables_over"
        ),
    )
    op.drop_index("ix_tournaments_created_at", table_name="tournaments")
    op.drop_table("tournaments")
    op.drop_index("ix_ratings_shown", table_name="ratings")
    op.drop_table("ratings")
