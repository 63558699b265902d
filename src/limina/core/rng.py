"""Sources of chance: Python's own, and the generators of numerical libraries."""

from __future__ import annotations

from random import Random
from typing import Protocol, TypeAlias


class ByteSource(Protocol):
    """A source that gives bytes, as numpy's generators do."""

    def bytes(self, length: int, /) -> bytes:
        """So many random bytes."""


RandomSource: TypeAlias = Random | ByteSource
"""Whatever chance may be drawn from."""


def as_random(source: RandomSource) -> Random:
    """A source as one of Python's; another is seeded from it anew, so that every call goes on where the last one ended.

    >>> rng = Random(1)
    >>> as_random(rng) is rng
    True
    """
    return source if isinstance(source, Random) else Random(source.bytes(32))
