"""Random number generators: those of Python and of numerical libraries."""

from __future__ import annotations

from random import Random
from typing import Protocol, TypeAlias


class ByteSource(Protocol):
    """A generator that returns random bytes, as NumPy's do."""

    def bytes(self, length: int, /) -> bytes:
        """Return random bytes."""


RandomSource: TypeAlias = Random | ByteSource
"""Generators that draw chance steps."""


def as_random(source: RandomSource) -> Random:
    """Return the source itself if it is a `Random`, else a new `Random` that is seeded with its next 32 bytes.

    >>> rng = Random(1)
    >>> as_random(rng) is rng
    True
    """
    return source if isinstance(source, Random) else Random(source.bytes(32))
