"""Processes beside the server stand behind it in the queue for the processor."""

from __future__ import annotations

import os
from contextlib import suppress

PATIENCE = 10
"""How far behind."""


def step_back(process: int) -> None:
    """Let everything else go first, from the process's first moment on: its start alone is work."""
    with suppress(OSError, AttributeError):  # gone already, or not on this system
        os.setpriority(os.PRIO_PROCESS, process, PATIENCE)
