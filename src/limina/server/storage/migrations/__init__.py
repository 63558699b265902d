"""Brings the tables of any earlier version up to date, step by step, when the server starts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import inspect, text

from limina.errors import LiminaError

if TYPE_CHECKING:
    from sqlalchemy import Connection

HEAD = max(path.name for path in Path(__file__).parent.glob("versions/0*.py")).partition("_")[0]
"""The newest migration."""
_LOCK = 0x4C494D494E41
"""Any number that others do not use: these are the letters of our name."""


def upgrade(connection: Connection, to: str = "head", *, begun: bool = False) -> None:
    """Run the migrations that this database has not seen.

    `begun` says that the caller has already begun the transaction for writing that is to hold them.
    """
    if revision_of(connection) == HEAD:
        return
    if connection.dialect.name == "sqlite":
        # All or nothing: left to itself, the driver would end the transaction before each table that is made.
        if not begun:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        # Of several servers that start at once, one migrates, and the others then find nothing to do.
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    revision = revision_of(connection)
    if revision == HEAD:
        return
    # Not at the top: on most starts there is nothing to do, and the server is ready sooner.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, to)


def revision_of(connection: Connection) -> str | None:
    """Up to which migration the tables are made, or None where there are none of ours; no newer one than we know."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if revision is not None and revision > HEAD:
        raise LiminaError("the database was written by a newer version of limina: install that one, or use other data")
    return revision
