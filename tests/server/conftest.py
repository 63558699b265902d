from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module

import pytest

from kit.clients import Client


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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its own affair
            pgserver = import_module("pgserver")
            server = pgserver.get_server(tmp_path_factory.mktemp("pg"), cleanup_mode="stop")
    except Exception as error:  # whatever keeps it from running here
        pytest.skip(f"no PostgreSQL can run here: pgserver says {type(error).__name__}: {str(error)[:120]}")
    yield server.get_uri()
    server.cleanup()
