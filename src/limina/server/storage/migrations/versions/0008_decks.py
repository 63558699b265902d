"""Decks that somebody shares by a link are kept, under a name that follows from their faces."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the table of decks."""
    op.create_table(
        "decks",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("faces", sa.Text, nullable=False),
        sa.Column("used", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_decks"),
    )
    op.create_index("ix_decks_used", "decks", ["used"])
