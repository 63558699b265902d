"""A connection of a WebSocket without a network."""

from __future__ import annotations

from collections.abc import Callable

from limina.server.network.socket_protocol import PreparedMessage


class FakeConnection:
    """Passes messages to a function, or refuses all of them if it is stuck."""

    def __init__(self, sent: Callable[[PreparedMessage], None], *, stuck: bool = False) -> None:
        self.stuck = stuck
        self.closed: tuple[int, str] | None = None
        self._sent = sent

    def try_send(self, message: PreparedMessage) -> bool:
        """Accept a message unless the connection is stuck; return True if it is accepted."""
        if not self.stuck:
            self._sent(message)
        return not self.stuck

    def close(self, code: int, reason: str) -> None:
        """Record the close code and the reason."""
        self.closed = code, reason

    def set_seated(self, seated: bool) -> None:
        """Do nothing, because there is no other connection to evict."""
