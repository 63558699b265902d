"""A real Chromium, to look at the page that the server has."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from kit.browsers import CHROMIUM, MISSING, chromium

# A busy machine may take its time; what is expected comes or does not.
expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip(MISSING)
    with chromium() as found:
        yield found
