"""For all tests."""

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

# A stranger's game is installed wherever tests run: here, and in the programs that they start.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(THIRD_PARTY_GAMES), os.environ.get("PYTHONPATH"))))

# A shell lets what it runs in the background ignore Ctrl-C; some tests are about just that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A program that swaps the kernel before anything imports it (`make sanitize`), not a module to be collected.
collect_ignore = ["kernel/sanitized.py"]


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses by these marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: Playwright keeps an event loop running, and no other can be started after it."""
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
    """Say how many tests were skipped in a line that `make test` shows; pytest lists their reasons above it."""
    terminalreporter.write_line(f"limina: {len(terminalreporter.stats.get('skipped', []))} tests skipped")


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where that server keeps its matches."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def address(data: Path) -> Iterator[str]:
    """One server for all tests that need no other."""
    with server_address(data) as found:
        yield found


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL without a password, on a socket in a folder of its own."""
    try:
        database = Postgres()
    except PostgresError as error:
        pytest.fail(str(error), pytrace=False)
    with closing(database):
        yield database.address
