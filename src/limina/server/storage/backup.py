"""Backups: write a database into one file while a server runs, and restore the file into an empty database.

The backup of an SQLite database is an SQLite file. The backup of a PostgreSQL is compressed JSON lines: a header with
the revision and the columns of each table, a line with the table and the values for each row, and a last line with the
number of rows of each table. Both can be restored into both databases, also into newer revisions.
"""

from __future__ import annotations

import base64
import gzip
import json
import sqlite3
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import IO, Any

from sqlalchemy import URL, LargeBinary, MetaData, Table, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from limina import __version__
from limina.core.files import atomic_file, check_writable, system_error_text
from limina.errors import InvalidInputError, LiminaError
from limina.server.storage import migrations
from limina.server.storage.database import database_error, existing_file, make_engine
from limina.server.storage.maintenance import check_current, exclusive_access, open_engine, read_revision, snapshot
from limina.server.storage.sqlite import check_file, read_only_uri
from limina.server.storage.tables import STORED, TRANSIENT

FORMAT = "limina backup 1"
_ROWS_PER_BATCH = 500
"""Rows that are read and written together."""
_MAX_LINE_CHARACTERS = 64 * 1024 * 1024
_SQLITE, _GZIP = b"SQLite format 3\0", b"\x1f\x8b"

Batch = tuple[str, list[dict[str, Any]]]
"""The name of a table, and some of its rows."""


async def backup(url: URL, path: Path) -> None:
    """Write the database into a new file with mode 600; an incomplete file is removed."""
    if path.exists():
        raise LiminaError(f"{path} already exists: choose another name for the backup")
    check_writable(path)
    async with open_engine(url) as engine:
        if (
            engine.dialect.name != "sqlite" or await read_revision(engine) is None
        ):  # an SQLite file of any revision is copied
            await check_current(engine)
        with atomic_file(path, 0o600) as temporary:
            if engine.dialect.name == "sqlite":
                _copy_file(existing_file(url), temporary)
            else:
                await _write_lines(engine, temporary)


def _copy_file(path: Path, copy: Path) -> None:
    """Copy an SQLite file that may be in use, without its transient tables."""
    try:
        check_file(path, write=False)
        with (
            closing(sqlite3.connect(read_only_uri(path), uri=True, timeout=5)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
            tables = {name for (name,) in target.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            target.execute("PRAGMA secure_delete=ON")
            for name in tables & TRANSIENT:
                target.execute(f"DELETE FROM {name}")
            target.commit()
            target.execute("PRAGMA journal_mode=DELETE")  # no write-ahead log beside it
    except sqlite3.Error as error:
        raise database_error(error) from None


async def _write_lines(engine: AsyncEngine, path: Path) -> None:
    counts: Counter[str] = Counter()
    tables = {table.name: [column.name for column in table.columns] for table in STORED}
    header = {"format": FORMAT, "limina": __version__, "revision": migrations.HEAD, "tables": tables}
    with gzip.open(path, "wt", encoding="utf-8") as file:
        _write_line(file, header)
        async with snapshot(engine) as connection:
            for table in STORED:
                result = await connection.stream(select(table).execution_options(yield_per=_ROWS_PER_BATCH))
                async for row in result:
                    _write_line(file, [table.name, *map(_to_json, row)])
                    counts[table.name] += 1
        _write_line(file, {"rows": counts})


def _write_line(file: IO[str], line: object) -> None:
    file.write(json.dumps(line, separators=(",", ":")) + "\n")


def _to_json(value: Any) -> Any:
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


# --- restoring


async def restore(url: URL, path: Path) -> Mapping[str, int]:
    """Restore a backup into an empty database, completely or not at all; return the number of rows of each table."""
    try:
        with open(path, "rb") as file:
            start = file.read(len(_SQLITE))
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {system_error_text(error, 'it is not a file')}") from None
    if start == _SQLITE:
        with tempfile.TemporaryDirectory() as folder:
            # A copy, because the migrations must not change the backup.
            copy = Path(folder) / "copy.sqlite"
            _copy_file(path, copy)
            source = URL.create("sqlite+aiosqlite", database=str(copy))
            await _migrate(source)
            async with open_engine(source) as engine:
                return await _fill(url, migrations.HEAD, _read_file(engine))
    if start[:2] == _GZIP:
        try:
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                header = _read_header(lines)
                return await _fill(url, header["revision"], _parse_rows(lines, header["tables"]))
        except (EOFError, OSError, UnicodeDecodeError, _IncompleteError) as error:
            raise InvalidInputError(f"{path} is incomplete or damaged: nothing was restored") from error
    raise InvalidInputError(f"{path} is not a backup of limina")


class _IncompleteError(Exception):
    """A line of the backup is missing or invalid."""


async def _migrate(url: URL) -> None:
    async with open_engine(url, write=True) as engine, engine.connect() as connection:
        if await connection.run_sync(migrations.revision_of) is None:
            raise InvalidInputError("there are no games in this backup")
        await connection.run_sync(migrations.upgrade)
        await connection.commit()


async def _read_file(engine: AsyncEngine) -> AsyncIterator[Batch]:
    async with snapshot(engine) as connection:
        for table in STORED:
            result = await connection.stream(select(table).execution_options(yield_per=_ROWS_PER_BATCH))
            async for batch in result.mappings().partitions(_ROWS_PER_BATCH):
                yield table.name, [dict(row) for row in batch]


async def _parse_rows(lines: IO[str], tables: Mapping[str, list[str]]) -> AsyncIterator[Batch]:
    counts: Counter[str] = Counter()
    table, batch = "", list[dict[str, Any]]()
    for line in _read_lines(lines):
        if isinstance(line, dict):
            if batch:
                yield table, batch
            if line.get("rows") != counts or lines.readline(2):
                raise _IncompleteError
            return
        if not isinstance(line, list) or line[:1] not in [[name] for name in tables]:
            raise _IncompleteError
        if batch and (line[0] != table or len(batch) == _ROWS_PER_BATCH):
            yield table, batch
            batch = []
        table = line[0]
        if len(line) != len(tables[table]) + 1:
            raise _IncompleteError
        batch.append(dict(zip(tables[table], line[1:], strict=True)))
        counts[table] += 1
    raise _IncompleteError


def _read_header(lines: IO[str]) -> dict[str, Any]:
    header = next(_read_lines(lines), None)
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise InvalidInputError("this is not a backup of limina, or one of an unknown version")
    if not isinstance(header.get("revision"), str) or not isinstance(header.get("tables"), dict):
        raise _IncompleteError
    migrations.check_known(header["revision"], "backup")
    return header


def _read_lines(lines: IO[str]) -> Iterator[Any]:
    while line := lines.readline(_MAX_LINE_CHARACTERS):
        try:
            yield json.loads(line)
        except (ValueError, RecursionError):
            raise _IncompleteError from None


async def _fill(url: URL, revision: str, batches: AsyncIterator[Batch]) -> Mapping[str, int]:
    """Create the tables of a revision, fill and migrate them; return the number of rows of each table."""
    counts: Counter[str] = Counter()
    try:
        engine = make_engine(url)
    except Exception as error:
        raise database_error(error) from None
    try:
        async with exclusive_access(engine), engine.connect() as connection:
            await connection.run_sync(migrations.upgrade, revision)
            await connection.commit()
            if await connection.run_sync(migrations.revision_of) != revision:
                raise LiminaError(
                    "the tables of this database are newer than the backup: restore it into another database"
                )
            tables = MetaData()
            # Not STORED: at an earlier revision, tables and columns have other names.
            skipped = TRANSIENT | {"alembic_version"}
            await connection.run_sync(lambda sync: tables.reflect(sync, only=lambda name, _: name not in skipped))
            if engine.dialect.name == "sqlite":
                await connection.exec_driver_sql("BEGIN IMMEDIATE")
            await _check_empty(connection, tables)
            async for name, batch in batches:
                table = tables.tables[name]
                await connection.execute(insert(table), [_from_json(table, row) for row in batch])
                counts[name] += len(batch)
            await connection.run_sync(partial(migrations.upgrade, caller_began_transaction=True))
            await connection.commit()
    except (LiminaError, EOFError, _IncompleteError):
        raise
    except Exception as error:  # of the database, its driver or the network
        raise database_error(error) from None
    finally:
        await engine.dispose()
    return counts


async def _check_empty(connection: AsyncConnection, tables: MetaData) -> None:
    for table in tables.sorted_tables:
        if (await connection.execute(select(func.count()).select_from(table))).scalar_one():
            raise LiminaError("there are games in this database already: a backup is restored into an empty one")


def _from_json(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    """Decode the bytes in a row, which are base64 in a JSON line."""
    decoded = dict(row)
    for column in table.columns:
        if isinstance(column.type, LargeBinary) and isinstance(decoded.get(column.name), str):
            decoded[column.name] = base64.b64decode(decoded[column.name])
    return decoded
