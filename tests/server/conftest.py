from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from kit.clients import Client
from kit.postgres import Postgres


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


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a PostgreSQL without a password, on a socket in a folder of its own."""
    try:
        server = Postgres(tmp_path_factory.mktemp("pg"))
    except Exception as error:  # whatever keeps it from running here
        pytest.skip(f"no PostgreSQL can run here: pgserver says {type(error).__name__}: {str(error)[:120]}")
    yield server.address
    server.stop()
