"""Migrations of the tables. A server runs them when it starts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import inspect, text

from limina.errors import LiminaError

if TYPE_CHECKING:
    from sqlalchemy import Connection

HEAD = max(path.name for path in Path(__file__).parent.glob("versions/0*.py")).partition("_")[0]
"""The revision of the newest migration."""
OLDEST = "0008"
"""The oldest revision that can be migrated. No earlier one was released."""
_ADVISORY_LOCK_ID = 0x4C494D494E41
"""The first six letters of the name in ASCII, so that other programs are unlikely to use it."""


def upgrade(connection: Connection, to: str = "head", *, caller_began_transaction: bool = False) -> None:
    """Run the migrations up to a revision.

    With `caller_began_transaction`, the caller has begun a transaction that writes, and the migrations are part of it.
    """
    if revision_of(connection) == HEAD:
        return
    if connection.dialect.name == "sqlite":
        # So that all migrations are one transaction: otherwise the driver commits before each statement that creates a
        # table.
        if not caller_began_transaction:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        # Of several servers that start at the same time, one migrates, and the others wait for it.
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _ADVISORY_LOCK_ID})
    revision = revision_of(connection)
    if revision == HEAD:
        return
    # Imported here because most starts do not need it, and it takes time.
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
