"""Waiting for other threads and processes."""

from __future__ import annotations

import time
from collections.abc import Callable

WAIT_TIMEOUT_SECONDS = 120.0
"""Bounds every wait, so that a test fails instead of hanging. Far more than anything takes."""


def wait_until(condition: Callable[[], object]) -> None:
    """Wait until the condition is true; fail after WAIT_TIMEOUT_SECONDS."""
    end = time.monotonic() + WAIT_TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < end, "the condition was never true"
        time.sleep(0.01)
