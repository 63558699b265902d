"""Disconnect clients that stop reading."""

from __future__ import annotations

import asyncio

WRITE_STALL_TIMEOUT_SECONDS = 10.0
"""Abort a connection when none of its unsent bytes has left for this long. Clients that read slowly may stay."""


class WriteStallTimer:
    """Aborts a transport whose write buffer no longer shrinks.

    A protocol starts it in `pause_writing` and stops it in `resume_writing` and `connection_lost`.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, transport: asyncio.Transport) -> None:
        self._loop = loop
        self._transport = transport
        self._timer: asyncio.TimerHandle | None = None
        self._unsent_bytes = 0

    def start(self) -> None:
        """Start the timer unless it runs already."""
        if self._timer is None:
            self._schedule_check()

    def stop(self) -> None:
        """Stop the timer: the buffer is empty, or the connection is lost."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _schedule_check(self) -> None:
        self._unsent_bytes = self._transport.get_write_buffer_size()
        self._timer = self._loop.call_later(WRITE_STALL_TIMEOUT_SECONDS, self._check)

    def _check(self) -> None:
        if self._transport.get_write_buffer_size() < self._unsent_bytes:
            self._schedule_check()
        else:
            self._timer = None
            self._transport.abort()
