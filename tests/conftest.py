"""Fixtures and hooks for all tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from support import THIRD_PARTY_GAMES
from support.database.postgres import Postgres, PostgresError
from support.requirements import require
from support.server.server_process import server_address

# Install the third-party game in the processes that tests start, too.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(THIRD_PARTY_GAMES), os.environ.get("PYTHONPATH"))))

# A shell lets background processes ignore Ctrl-C, but some tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A program of `make sanitize` that replaces the kernel before it is imported; it is no module of tests.
collect_ignore = ["kernel/sanitized.py"]


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses by these marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put browser tests last, because Playwright keeps an event loop running, and add marks by fixture."""
    items.sort(key=lambda item: "/e2e/" in item.nodeid)
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "postgres" in fixtures:
            item.add_marker("postgres")
        if "browser" in fixtures:
            item.add_marker(pytest.mark.needs("chromium"))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail or skip a test whose requirements are missing."""
    for marker in item.iter_markers("needs"):
        for name in marker.args:
            require(name)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the number of skipped tests in a line that `make test` shows; pytest prints the reasons above it."""
    terminalreporter.write_line(f"limina: {len(terminalreporter.stats.get('skipped', []))} tests skipped")


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data folder of the shared server."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def address(data: Path) -> Iterator[str]:
    """Run the server that tests share; yield its address."""
    with server_address(data) as server:
        yield server


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Run a PostgreSQL on a Unix socket, without a password; yield its address."""
    try:
        database = Postgres()
    except PostgresError as error:
        pytest.fail(str(error), pytrace=False)
    with closing(database):
        yield database.address
