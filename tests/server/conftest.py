from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

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
