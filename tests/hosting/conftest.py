from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from limina.server.settings import ServerSettings
from limina.server.storage import url_of
from support.database.stores import drop_tables


@pytest.fixture
def shared_database(postgres: str) -> Iterator[str]:
    """Return the address of an empty PostgreSQL database, and drop its tables afterwards."""
    yield postgres
    asyncio.run(drop_tables(url_of(ServerSettings(database=postgres))))
