"""Waiting for what happens elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable

WAIT_TIMEOUT_SECONDS = 120.0
"""Far more than anything takes: a test that waits for what never happens is to fail instead of hanging."""


def wait_until(happened: Callable[[], object]) -> None:
    """Look again and again until it has happened."""
    end = time.monotonic() + WAIT_TIMEOUT_SECONDS
    while not happened():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.01)
