"""A table of jobs for both databases replaces the queue in memory and the tables of pgqueuer."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_HAS_BOT = """
EXISTS (SELECT 1 FROM events WHERE events."match" = matches.id
    AND events.kind IN ('created', 'seated', 'replaced') AND events.text LIKE '%"bot"%')
"""


def upgrade() -> None:
    """Create the tables, and one job for each unfinished match with bots that requeues the bots to move."""
    op.create_table(
        "jobs",
        sa.Column("job_id", sa.String(180), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("pool", sa.String(16), nullable=False),
        sa.Column("client", sa.String(64), nullable=False),
        sa.Column("cost", sa.Integer, nullable=False),
        sa.Column("due_at", sa.BigInteger, nullable=False),
        sa.Column("watched_until", sa.BigInteger, nullable=False),
        sa.Column("claimed_by", sa.String(32), nullable=False),
        sa.Column("claimed_until", sa.BigInteger, nullable=False),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("job_id", name="pk_jobs"),
    )
    op.create_index("ix_jobs_pool_client", "jobs", ["pool", "client"])
    op.create_table(
        "job_output",
        sa.Column("job_id", sa.String(180), nullable=False),
        sa.Column("line_index", sa.Integer, nullable=False),
        sa.Column("line", sa.LargeBinary, nullable=False),
        sa.Column("written_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("job_id", "line_index", name="pk_job_output"),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_secrets"),
    )
    postgres = op.get_bind().dialect.name == "postgresql"
    empty = "''::bytea" if postgres else "x''"
    op.execute(
        "INSERT INTO jobs "
        "(job_id, kind, pool, client, cost, due_at, watched_until, claimed_by, claimed_until, payload) "
        f"SELECT 'requeue ' || id, 'requeue', 'requeue', substr(id, 1, 1), 1, created, 0, '', 0, {empty} "
        f"FROM matches WHERE NOT over AND {_HAS_BOT}"
    )
    op.drop_index("ix_matches_bot_since", table_name="matches")
    op.drop_column("matches", "bot_since")
    if postgres:
        for table in ("jobs", "jobs_log", "jobs_statistics", "jobs_schedules", "job_lines"):
            op.execute(f"DROP TABLE IF EXISTS limina_{table} CASCADE")
        op.execute("DROP FUNCTION IF EXISTS limina_jobs_changed CASCADE")
        op.execute("DROP TYPE IF EXISTS limina_jobs_status CASCADE")
