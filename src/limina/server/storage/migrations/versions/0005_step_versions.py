"""Steps say which version of the match they led to, which was worked out before, and may be of any length."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the version of every step.

    Of the other things that happened, seats were taken before the first step and a rematch began after the last; only
    bots were replaced in between, and each seat says when.
    """
    op.add_column("steps", sa.Column("version", sa.Integer, nullable=True))
    op.execute(
        """
        UPDATE steps SET version = number + 1
            + (SELECT changes FROM matches WHERE matches.id = steps."match")
            - (SELECT count(rematch) FROM matches WHERE matches.id = steps."match")
            - (SELECT count(*) FROM seats WHERE seats."match" = steps."match" AND failed_at > steps.number)
        """
    )
    with op.batch_alter_table("steps") as steps:
        steps.alter_column("version", existing_type=sa.Integer, nullable=False)
        # What chance lays before the first turn is a step too, and may be long.
        steps.alter_column("text", existing_type=sa.String(100), type_=sa.Text, existing_nullable=False)
