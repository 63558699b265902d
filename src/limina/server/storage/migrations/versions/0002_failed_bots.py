"""Seats remember the host's bot that failed on them."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add what is told of a bot that failed."""
    op.add_column("seats", sa.Column("failed_bot", sa.String(40), nullable=True))
    op.add_column("seats", sa.Column("failed_how", sa.String(10), nullable=True))
    op.add_column("seats", sa.Column("failed_at", sa.Integer, nullable=True))
