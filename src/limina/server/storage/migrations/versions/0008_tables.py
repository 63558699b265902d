"""The tables at revision 0008, the oldest one that can be migrated."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "matches",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("start", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("hidden", sa.Boolean, nullable=False),
        sa.Column("spectators", sa.Boolean, nullable=False),
        sa.Column("secret_order", sa.Text, nullable=False),
        sa.Column("secret_salt", sa.String(64), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("bot_since", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
    )
    op.create_index("ix_matches_bot_since", "matches", ["bot_since"])
    op.create_table(
        "events",
        sa.Column("match", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("seat", sa.Integer, nullable=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("turn_key", sa.String(64), nullable=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", "number", name="pk_events"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_events_match"),
        sa.UniqueConstraint("match", "turn_key", name="uq_events_match_turn_key"),
    )
    op.create_table(
        "keys",
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column("match", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("key_hash", "match", "seat", name="pk_keys"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_keys_match"),
    )
    op.create_table(
        "reviews",
        sa.Column("key", sa.String(80), nullable=False),
        sa.Column("version", sa.String(40), nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("lines", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_reviews"),
    )
    op.create_index("ix_reviews_made", "reviews", ["made"])
    op.create_table(
        "decks",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("faces", sa.Text, nullable=False),
        sa.Column("used", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_decks"),
    )
    op.create_index("ix_decks_used", "decks", ["used"])
