from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import URL

from limina.server.settings import ServerSettings
from limina.server.storage import url_of
from support.database.databases import Database, DbCommand
from support.database.stores import drop_tables
from support.server.clients import Client


@pytest.fixture
def ada(address: str) -> Iterator[Client]:
    with closing(Client(address)) as client:
        yield client


@pytest.fixture
def ben(address: str) -> Iterator[Client]:
    with closing(Client(address)) as client:
        yield client


@pytest.fixture
def cleo(address: str) -> Iterator[Client]:
    with closing(Client(address)) as client:
        yield client


@pytest.fixture
def db_command(capsys: pytest.CaptureFixture[str]) -> DbCommand:
    return DbCommand(capsys)


@pytest.fixture
def file(tmp_path: Path) -> Database:
    """An SQLite file, or where one can be."""
    return Database(url_of(ServerSettings(data=tmp_path / "data")), ("--data", str(tmp_path / "data")))


@pytest.fixture
def server_database(postgres: str) -> Iterator[Database]:
    """A PostgreSQL without tables."""
    url = url_of(ServerSettings(database=postgres))
    yield Database(url, ("--database", postgres))
    asyncio.run(drop_tables(url))


@pytest.fixture(params=["file", pytest.param("server_database", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """Return an SQLite database, and then a PostgreSQL database."""
    (tmp_path / "data").mkdir(exist_ok=True)
    chosen: Database = request.getfixturevalue(request.param)
    return chosen


@pytest.fixture
def url(postgres: str) -> Iterator[URL]:
    """A PostgreSQL without tables, for servers that share it."""
    url = url_of(ServerSettings(database=postgres))
    yield url
    asyncio.run(drop_tables(url))
