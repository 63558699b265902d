"""Measure boardgame.io with the load of limina's server, in memory and with its file store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.figure import Figure
from bench.other_servers import compare


def figures() -> Iterator[Figure]:
    """Yield the figures of both stores."""
    return compare("boardgame.io", Path(__file__).parent, {"memory": "in memory", "file": "file store"})
