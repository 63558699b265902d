from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from server.helpers import Client, server


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def address(data: Path) -> Iterator[str]:
    with server(data) as found:
        yield found


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
