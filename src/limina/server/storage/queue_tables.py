"""The queue's own tables, made and brought up to date where ours are."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from pgqueuer.adapters.drivers.asyncpg import AsyncpgDriver
from pgqueuer.adapters.persistence.qb import QueryBuilderEnvironment, QueryQueueBuilder, QuerySchedulerBuilder
from pgqueuer.domain.settings import DBSettings, Durability
from pgqueuer.domain.types import Channel
from pgqueuer.queries import Queries

SETTINGS = DBSettings(
    # All of them named: what is left out would be read from the environment.
    prefix="",
    db_schema=None,
    channel=Channel("limina_jobs"),
    function="limina_jobs_changed",
    statistics_table="limina_jobs_statistics",
    queue_status_type="limina_jobs_status",
    queue_table="limina_jobs",
    queue_table_log="limina_jobs_log",
    trigger="limina_jobs_changed",
    schedules_table="limina_jobs_schedules",
    # Nothing in it would be missed: what the database forgets when it crashes is found again.
    durability=Durability.volatile,
    widen_id=True,
)
LINES_TABLE = "limina_job_lines"
_LINES = f"""
CREATE UNLOGGED TABLE IF NOT EXISTS {LINES_TABLE} (
    job text NOT NULL,
    number integer NOT NULL,
    line bytea NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (job, number)
)
"""
_LOCK = 0x4C494D494E43
"""Of the advisory lock that whoever makes the tables holds."""


def queries_of(driver: AsyncpgDriver) -> Queries:
    """What speaks to the queue, over a connection."""
    return Queries(
        driver,
        qbe=QueryBuilderEnvironment(SETTINGS),
        qbq=QueryQueueBuilder(SETTINGS),
        qbs=QuerySchedulerBuilder(SETTINGS),
    )


async def make_tables(connection: Any) -> None:
    """Make the tables, or bring those of another version of pgqueuer up to date."""
    wanted = f"pgqueuer {version('pgqueuer')}"
    if await _made_by(connection) == wanted:
        return
    # Of several servers that start at once, one makes them, and the others then find nothing to do.
    await connection.execute("SELECT pg_advisory_lock($1)", _LOCK)
    try:
        if await _made_by(connection) == wanted:
            return
        queries = queries_of(AsyncpgDriver(connection))
        if await queries.schema_is_installed():
            await queries.upgrade()
        else:
            await queries.install()
            await queries.optimize_autovacuum()
        await connection.execute(_LINES)
        await connection.execute(f"COMMENT ON TABLE {SETTINGS.queue_table} IS '{wanted}'")
    finally:
        await connection.execute("SELECT pg_advisory_unlock($1)", _LOCK)


async def _made_by(connection: Any) -> str | None:
    found: str | None = await connection.fetchval(
        "SELECT obj_description(to_regclass($1), 'pg_class')", SETTINGS.queue_table
    )
    return found
