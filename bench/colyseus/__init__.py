"""Measure Colyseus with the load of limina's server, in memory: it saves nothing by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.figure import Figure
from bench.other_servers import compare


def figures() -> Iterator[Figure]:
    """Yield the figures."""
    return compare("Colyseus", Path(__file__).parent, {"memory": "in memory"})
