"""Colyseus with the same load as our server, in memory: it saves nothing by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.measure import Figure
from bench.rivals import compare


def figures() -> Iterator[Figure]:
    """Its rooms."""
    return compare("Colyseus", Path(__file__).parent, {"memory": "in memory"})
