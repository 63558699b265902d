"""Matches say since when a bot is to move, so that its turn is found whatever became of whoever was to see to it."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the column. Bots of earlier matches go on when somebody looks at them, as they did before."""
    op.add_column("matches", sa.Column("bot_since", sa.BigInteger, nullable=True))
    op.create_index(
        "ix_matches_bot_since",
        "matches",
        ["bot_since"],
        sqlite_where=sa.text("bot_since IS NOT NULL"),
        postgresql_where=sa.text("bot_since IS NOT NULL"),
    )
