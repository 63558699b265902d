"""Brings the tables of an earlier version up to date, step by step, when the server starts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import inspect, text

from limina.errors import LiminaError

if TYPE_CHECKING:
    from sqlalchemy import Connection

HEAD = max(path.name for path in Path(__file__).parent.glob("versions/0*.py")).partition("_")[0]
"""The newest migration."""
OLDEST = "0008"
"""The oldest revision whose tables can be read. Nothing before it was released."""
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
    """Return the revision of the tables, None without tables; raise LiminaError for a revision not known here."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if revision is not None:
        check_known(revision, "database")
    return revision


def check_known(revision: str, source: str) -> None:
    """Raise LiminaError if a database or backup is newer or older than this version can read."""
    if revision > HEAD:
        raise LiminaError(f"the {source} was written by a newer version of limina: install that one, or use other data")
    if revision < OLDEST:
        raise LiminaError(
            f"the {source} is of revision {revision}, older than this version of limina can read: "
            f"bring it to revision {OLDEST} with an earlier version first"
        )
