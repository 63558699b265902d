"""How processes on one database hear of what others have added to a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

Heard = Callable[[Mapping[str, int] | None], None]
"""Called with matches and the versions they are said to have, or with None: something may have been missed."""


class Bus(Protocol):
    """Carries hints, not promises: whoever listens compares versions when told that something may have been missed."""

    async def listen(self, heard: Heard) -> None:
        """Begin to hear of others."""
        ...

    def publish(self, versions: Mapping[str, int]) -> None:
        """Let others know which versions matches have now; never waits."""
        ...

    async def close(self) -> None:
        """Hear no more."""
        ...


class SilentBus:
    """For a process that has its database for itself."""

    async def listen(self, heard: Heard) -> None:
        """There is nobody to be heard."""

    def publish(self, versions: Mapping[str, int]) -> None:
        """There is nobody to be told."""

    async def close(self) -> None:
        """There is nothing to let go."""
