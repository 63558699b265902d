"""Backups: a database in one file, as it was at one moment while a server goes on, and back into an empty one.

Of an SQLite file it is such a file. Of a PostgreSQL it is compressed JSON lines: the first says what follows, each of
the others is the name of a table and the values of a row, the last one counts them. Either goes into either database.
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
from limina.server.storage.database import check_there, make_engine, unusable
from limina.server.storage.maintenance import alone, check_current, opened, revision, snapshot
from limina.server.storage.sqlite import check_file, read_only
from limina.server.storage.tables import STORED, TRANSIENT

FORMAT = "limina backup 1"
_AT_ONCE = 500
"""Rows that are read and written together."""
_MOST_LINE = 64 * 1024 * 1024
_SQLITE, _GZIP = b"SQLite format 3\0", b"\x1f\x8b"

Rows = tuple[str, list[dict[str, Any]]]
"""Some rows of a table, by its name."""


async def backup(url: URL, path: Path) -> None:
    """Copy the database into a file that nobody else may read, there whole or not at all."""
    if path.exists():
        raise LiminaError(f"{path} is there already: choose another name for the backup")
    check_writable(path)
    async with opened(url) as engine:
        if engine.dialect.name != "sqlite" or await revision(engine) is None:  # a file is copied as it is
            await check_current(engine)
        with atomic_file(path, 0o600) as beside:
            if engine.dialect.name == "sqlite":
                _copy_file(check_there(url), beside)
            else:
                await _write_lines(engine, beside)


def _copy_file(path: Path, beside: Path) -> None:
    """By SQLite's own way to copy a database that is in use: all of it as it is at one moment."""
    try:
        check_file(path, write=False)
        with (
            closing(sqlite3.connect(read_only(path), uri=True, timeout=5)) as source,
            closing(sqlite3.connect(beside)) as target,
        ):
            source.backup(target)
            tables = {name for (name,) in target.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            target.execute("PRAGMA secure_delete=ON")
            for name in tables & TRANSIENT:
                target.execute(f"DELETE FROM {name}")
            target.commit()
            target.execute("PRAGMA journal_mode=DELETE")  # one file, and none beside it
    except sqlite3.Error as error:
        raise unusable(error) from None


async def _write_lines(engine: AsyncEngine, beside: Path) -> None:
    counts: Counter[str] = Counter()
    tables = {table.name: [column.name for column in table.columns] for table in STORED}
    head = {"format": FORMAT, "limina": __version__, "revision": migrations.HEAD, "tables": tables}
    with gzip.open(beside, "wt", encoding="utf-8") as file:
        _write_line(file, head)
        async with snapshot(engine) as connection:
            for table in STORED:
                found = await connection.stream(select(table).execution_options(yield_per=_AT_ONCE))
                async for row in found:
                    _write_line(file, [table.name, *map(_plain, row)])
                    counts[table.name] += 1
        _write_line(file, {"rows": counts})


def _write_line(file: IO[str], line: object) -> None:
    file.write(json.dumps(line, separators=(",", ":")) + "\n")


def _plain(value: Any) -> Any:
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


# --- back


async def restore(url: URL, path: Path) -> Mapping[str, int]:
    """Put a backup into an empty database, all of it or nothing: how many rows each table has then."""
    try:
        with open(path, "rb") as file:
            kind = file.read(len(_SQLITE))
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {system_error_text(error, 'it is no file')}") from None
    if kind == _SQLITE:
        with tempfile.TemporaryDirectory() as folder:
            # A copy, which can be brought up to date; the backup stays as it is.
            copy = Path(folder) / "copy.sqlite"
            _copy_file(path, copy)
            source = URL.create("sqlite+aiosqlite", database=str(copy))
            await _up_to_date(source)
            async with opened(source) as engine:
                return await _fill(url, migrations.HEAD, _rows_of_file(engine))
    if kind[:2] == _GZIP:
        try:
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                head = _head(lines)
                return await _fill(url, head["revision"], _rows_of_lines(lines, head["tables"]))
        except (EOFError, OSError, UnicodeDecodeError, _NotWholeError) as error:
            raise InvalidInputError(f"{path} is not whole: nothing was restored") from error
    raise InvalidInputError(f"{path} is no backup of limina's")


class _NotWholeError(Exception):
    """A line is missing or broken."""


async def _up_to_date(url: URL) -> None:
    async with opened(url, write=True) as engine, engine.connect() as connection:
        if await connection.run_sync(migrations.revision_of) is None:
            raise InvalidInputError("there are no games in this backup")
        await connection.run_sync(migrations.upgrade)
        await connection.commit()


async def _rows_of_file(engine: AsyncEngine) -> AsyncIterator[Rows]:
    async with snapshot(engine) as connection:
        for table in STORED:
            found = await connection.stream(select(table).execution_options(yield_per=_AT_ONCE))
            async for some in found.mappings().partitions(_AT_ONCE):
                yield table.name, [dict(row) for row in some]


async def _rows_of_lines(lines: IO[str], tables: Mapping[str, list[str]]) -> AsyncIterator[Rows]:
    counts: Counter[str] = Counter()
    name, some = "", list[dict[str, Any]]()
    for line in _read_lines(lines):
        if isinstance(line, dict):
            if some:
                yield name, some
            if line.get("rows") != counts or lines.readline(2):
                raise _NotWholeError
            return
        if not isinstance(line, list) or line[:1] not in [[each] for each in tables]:
            raise _NotWholeError
        if some and (line[0] != name or len(some) == _AT_ONCE):
            yield name, some
            some = []
        name = line[0]
        if len(line) != len(tables[name]) + 1:
            raise _NotWholeError
        some.append(dict(zip(tables[name], line[1:], strict=True)))
        counts[name] += 1
    raise _NotWholeError


def _head(lines: IO[str]) -> dict[str, Any]:
    head = next(_read_lines(lines), None)
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise InvalidInputError("this is no backup of limina's, or of a version that is not known here")
    if not isinstance(head.get("revision"), str) or not isinstance(head.get("tables"), dict):
        raise _NotWholeError
    migrations.check_known(head["revision"], "backup")
    return head


def _read_lines(lines: IO[str]) -> Iterator[Any]:
    while line := lines.readline(_MOST_LINE):
        try:
            yield json.loads(line)
        except (ValueError, RecursionError):
            raise _NotWholeError from None


async def _fill(url: URL, at: str, source: AsyncIterator[Rows]) -> Mapping[str, int]:
    """Make the tables of a revision, fill them, and bring them up to date."""
    counts: Counter[str] = Counter()
    try:
        engine = make_engine(url)
    except Exception as error:
        raise unusable(error) from None
    try:
        async with alone(engine), engine.connect() as connection:
            await connection.run_sync(migrations.upgrade, at)
            await connection.commit()
            if await connection.run_sync(migrations.revision_of) != at:
                raise LiminaError("the tables here are newer than the backup: restore it into a database without any")
            tables = MetaData()
            # As they were at that revision: other names than those of STORED.
            names = TRANSIENT | {"alembic_version"}
            await connection.run_sync(lambda sync: tables.reflect(sync, only=lambda name, _: name not in names))
            if engine.dialect.name == "sqlite":
                await connection.exec_driver_sql("BEGIN IMMEDIATE")
            await _check_empty(connection, tables)
            async for name, some in source:
                table = tables.tables[name]
                await connection.execute(insert(table), [_row(table, row) for row in some])
                counts[name] += len(some)
            await connection.run_sync(partial(migrations.upgrade, begun=True))
            await connection.commit()
    except (LiminaError, EOFError, _NotWholeError):
        raise
    except Exception as error:  # of the database, its driver or the network
        raise unusable(error) from None
    finally:
        await engine.dispose()
    return counts


async def _check_empty(connection: AsyncConnection, tables: MetaData) -> None:
    for table in tables.sorted_tables:
        if (await connection.execute(select(func.count()).select_from(table))).scalar_one():
            raise LiminaError("there are games in this database already: a backup is restored into an empty one")


def _row(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row for the driver: in a file of lines bytes are written as text."""
    made = dict(row)
    for column in table.columns:
        if isinstance(column.type, LargeBinary) and isinstance(made.get(column.name), str):
            made[column.name] = base64.b64decode(made[column.name])
    return made
