"""A TCP proxy between two programs that can cut, delay and stall the connections through it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from random import Random

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
_CHUNK_BYTES = 64 * 1024


class Proxy:
    """Listens on a port of this machine and connects each client to the same upstream."""

    def __init__(self, connect: Callable[[], Awaitable[Streams]]) -> None:
        self._connect = connect
        self._server: asyncio.Server
        self._links: set[tuple[asyncio.StreamWriter, asyncio.StreamWriter]] = set()
        self._flowing = _set_event()
        self.delay = 0.0
        """Seconds of extra latency in each direction."""
        self.connections = 0
        """Connections that were accepted so far."""

    async def open(self) -> int:
        """Start to listen; return the port."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def close(self) -> None:
        """Stop to listen and cut all connections."""
        self._server.close()
        self.resume()
        self.cut(Random(), 1.0)
        await asyncio.sleep(0)

    def cut(self, rng: Random, share: float) -> int:
        """Abort about this share of the connections, in both directions; return how many."""
        chosen = [link for link in list(self._links) if rng.random() < share]
        for link in chosen:
            for writer in link:
                writer.transport.abort()
        return len(chosen)

    def stall(self) -> None:
        """Stop the flow of data without closing anything, until `resume`."""
        self._flowing.clear()

    def freeze_open_connections(self) -> None:
        """Stop the flow of data for good on the connections that are open now; new ones work."""
        self._flowing.clear()
        self._flowing = _set_event()

    def resume(self) -> None:
        """Let the data flow again after `stall`."""
        self._flowing.set()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            upstream_reader, upstream_writer = await self._connect()
        except OSError:
            writer.transport.abort()
            return
        link = (writer, upstream_writer)
        self._links.add(link)
        flowing = self._flowing
        directions = [
            asyncio.create_task(self._forward(reader, upstream_writer, flowing)),
            asyncio.create_task(self._forward(upstream_reader, writer, flowing)),
        ]
        try:
            # When one side ends the connection, the other is closed too: neither limina nor PostgreSQL uses
            # half-closed connections.
            await asyncio.wait(directions, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._links.discard(link)
            for task in directions:
                task.cancel()
            for end in link:
                end.close()

    async def _forward(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, flowing: asyncio.Event
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(_CHUNK_BYTES):
                if self.delay:
                    await asyncio.sleep(self.delay)
                await flowing.wait()
                writer.write(data)
                await writer.drain()


def _set_event() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event


def connect_to_port(port: int) -> Callable[[], Awaitable[Streams]]:
    """Return a function that connects to a port of this machine."""
    return lambda: asyncio.open_connection("127.0.0.1", port)
