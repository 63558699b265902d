"""A server starts only with an undamaged database, and is ready only while a write works."""

from __future__ import annotations

import asyncio
import os
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from subprocess import PIPE

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from limina.server.storage import Store
from support.database.databases import Database, DbCommand, populate
from support.database.stores import open_store
from support.network import http
from support.processes.cli_commands import Command, limina
from support.server.clients import Client
from support.waiting import wait_until

# --- at the start


def refused(database: Database) -> str:
    """Return the error with which a server refuses to start."""
    done = limina("serve", "--port", "0", *database.arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
    return done.stderr.removeprefix("limina: ").rstrip()


@pytest.mark.parametrize(
    ("statement", "missing"),
    [("DROP TABLE seat_tokens", "seat_tokens"), ("ALTER TABLE matches DROP COLUMN is_over", "is_over")],
)
def test_serve_fails_if_a_table_or_column_is_missing(statement: str, missing: str, database: Database) -> None:
    database.run_with_service(populate)
    database.execute(statement)
    error = refused(database)
    assert error.startswith("the database is damaged (")
    assert missing in error
    assert error.endswith("): restore a backup with limina db restore")


def test_serve_fails_if_the_database_file_is_damaged(file: Database, db_command: DbCommand) -> None:
    Path(file.arguments[1]).mkdir()
    file.run_with_service(populate)
    path = Path(str(file.url.database))
    with closing(sqlite3.connect(path)) as connection:
        connection.executemany("INSERT INTO decks VALUES (?, 'limes', '[]', 1)", [(f"{n:032}",) for n in range(5_000)])
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    # No query of a starting server reads the last page, which belongs to a table or an index.
    with path.open("r+b") as opened:
        opened.seek(-size, os.SEEK_END)
        opened.write(b"\xff" * 16)
    damaged = path.read_bytes()
    assert refused(file).startswith("the database is damaged (")
    assert path.read_bytes() == damaged


# --- while it runs


@contextmanager
def logged(log: Path, *arguments: str) -> Iterator[tuple[str, int]]:
    """Run a server that writes its log to a file."""
    with log.open("w") as errors:
        process = Command(["serve", "--port", "0", *arguments], stdout=PIPE, stderr=errors.fileno())
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1].rstrip("/"), process.pid
        finally:
            process.terminate()
            process.communicate(timeout=20)


def has_status(address: str, status: int) -> Callable[[], bool]:
    return lambda: http.get(f"{address}/health/ready").status_code == status


def test_a_full_sqlite_file_makes_the_server_unready(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with logged(log, "--data", str(tmp_path / "data")) as (address, process), closing(Client(address)) as ada:
        ada.create("limes", "me")
        assert has_status(address, 200)()
        before = resource.prlimit(process, resource.RLIMIT_FSIZE)
        wal = (tmp_path / "data" / "limina.sqlite-wal").stat().st_size
        resource.prlimit(process, resource.RLIMIT_FSIZE, (wal, before[1]))
        wait_until(has_status(address, 503))
        assert "database write failed: OperationalError: disk I/O error" in log.read_text()
        assert http.get(f"{address}/health/live").status_code == 200
        resource.prlimit(process, resource.RLIMIT_FSIZE, before)
        wait_until(has_status(address, 200))
        ada.create("limes", "me")


def test_a_read_only_postgresql_makes_the_server_unready(server_database: Database, tmp_path: Path) -> None:
    """Hosting services make a database read-only when its disk is full. A standby is read-only too."""
    log = tmp_path / "log"
    with logged(log, *server_database.arguments) as (address, _), closing(Client(address)) as ada:
        ada.create("limes", "me")
        assert has_status(address, 200)()
        try:
            configure(server_database, "SET default_transaction_read_only = on")
            wait_until(has_status(address, 503))
            assert "database write failed: ReadOnlySQLTransactionError: cannot execute UPDATE" in log.read_text()
        finally:
            configure(server_database, "RESET default_transaction_read_only")
        wait_until(has_status(address, 200))
        ada.create("limes", "me")


def configure(database: Database, setting: str) -> None:
    """Change a setting of the PostgreSQL server."""

    async def run() -> None:
        engine = create_async_engine(database.url, isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.execute(text(f"ALTER SYSTEM {setting}"))
            await connection.execute(text("SELECT pg_reload_conf()"))
        await engine.dispose()

    asyncio.run(run())


def test_a_readiness_probe_writes_without_growing_the_database(database: Database) -> None:
    async def size(store: Store) -> int:
        if database.is_file:
            return Path(str(database.url.database)).stat().st_size
        rows = await store._transactions.fetch(text("SELECT pg_relation_size('alembic_version')"))
        return int(rows[0][0])

    async def written(store: Store) -> int:
        """Return the position of the write-ahead log."""
        if database.is_file:
            return Path(f"{database.url.database}-wal").stat().st_size
        rows = await store._transactions.fetch(text("SELECT pg_current_wal_flush_lsn() - '0/0'::pg_lsn"))
        return int(rows[0][0])

    async def run() -> None:
        async with open_store(database.url) as store:
            await store.probe()
            before = await written(store)
            await store.probe()
            assert await written(store) > before
            for _ in range(300):
                await store.probe()
            assert await size(store) <= 80_000 if database.is_file else await size(store) <= 8192

    asyncio.run(run())
