"""The connection below a socket, without a network."""

from __future__ import annotations

from collections.abc import Callable


class FakeConnection:
    """Keeps the frames that were told, or lets none leave."""

    def __init__(self, told: Callable[[bytes], None], *, stuck: bool = False) -> None:
        self.stuck = stuck
        self.ended: tuple[int, str] | None = None
        self._told = told

    def tell(self, frame: bytes) -> bool:
        """Take a frame, unless it is stuck."""
        if not self.stuck:
            self._told(frame)
        return not self.stuck

    def close(self, code: int, reason: str) -> None:
        """Note how it ended."""
        self.ended = code, reason

    def end(self, code: int, reason: str) -> None:
        """Note how it ended."""
        self.ended = code, reason

    def seat(self, seated: bool) -> None:
        """There is only this one."""

    def read_on(self, waiting: int) -> None:
        """Nothing comes."""
