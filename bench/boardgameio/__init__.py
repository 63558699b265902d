"""boardgame.io with the same load as our server: in memory and with its file store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.measure import Figure
from bench.rivals import compare


def figures() -> Iterator[Figure]:
    """Both stores."""
    return compare("boardgame.io", Path(__file__).parent, {"memory": "in memory", "file": "file store"})
