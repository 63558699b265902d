"""What writes to a database: one transaction after the other, each for all that came meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from limina.server.model import Append, NewMatch

Part = NewMatch | Append
"""A new match, or events that are added to one: written as a whole or not at all."""


class Writer(Protocol):
    """One connection of a database, used by one task at a time. It connects again by itself after an error."""

    faulty: tuple[type[Exception], ...]
    """The errors that tell of something wrong in what was to be written; all others tell of the database itself."""

    async def open(self) -> bool:
        """Connect; whether no other server stands in the way."""
        ...

    async def commit(self, parts: Sequence[Part]) -> list[bool]:
        """Write all that can be in one transaction: whether each was. Events whose match has gone on are not.

        Of each match there may be one part at most.
        """
        ...

    async def probe(self) -> None:
        """Write and commit without changing anything and without growth; raise what the write of a turn would raise."""
        ...

    async def close(self) -> None:
        """Let go."""
        ...
