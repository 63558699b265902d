"""Matches say whether others than their players may watch."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add whether others may watch; so far they might."""
    op.add_column("matches", sa.Column("spectators", sa.Boolean, nullable=False, server_default=sa.true()))
