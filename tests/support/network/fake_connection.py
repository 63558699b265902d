"""The connection below a socket, without a network."""

from __future__ import annotations

from collections.abc import Callable

from limina.server.web.socket_protocol import PreparedMessage


class FakeConnection:
    """Passes on the messages that are sent, or lets none leave."""

    def __init__(self, sent: Callable[[PreparedMessage], None], *, stuck: bool = False) -> None:
        self.stuck = stuck
        self.closed: tuple[int, str] | None = None
        self._sent = sent

    def try_send(self, message: PreparedMessage) -> bool:
        """Take a message, unless the connection is stuck."""
        if not self.stuck:
            self._sent(message)
        return not self.stuck

    def close(self, code: int, reason: str) -> None:
        """Note how the connection was closed."""
        self.closed = code, reason

    def set_seated(self, seated: bool) -> None:
        """Do nothing: no other connection could be evicted."""
