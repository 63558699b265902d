"""A TCP proxy between two programs that can cut, delay and hold up what goes through it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from random import Random

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
_CHUNK = 64 * 1024


class Proxy:
    """Listens on a port of this machine and passes everything on."""

    def __init__(self, connect: Callable[[], Awaitable[Streams]]) -> None:
        self._connect = connect
        self._server: asyncio.Server
        self._links: set[tuple[asyncio.StreamWriter, asyncio.StreamWriter]] = set()
        self._flowing = _flowing()
        self.delay = 0.0
        """Seconds that everything takes longer, each way."""
        self.connections = 0
        """How many there have been."""

    async def open(self) -> int:
        """Begin to listen; the port."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def close(self) -> None:
        """End with everything that goes through."""
        self._server.close()
        self.resume()
        self.cut(Random(), 1.0)
        await asyncio.sleep(0)

    def cut(self, chance: Random, share: float) -> int:
        """Cut a share of the connections, as by a pair of scissors; how many."""
        chosen = [link for link in list(self._links) if chance.random() < share]
        for link in chosen:
            for writer in link:
                writer.transport.abort()
        return len(chosen)

    def hold(self) -> None:
        """Let nothing through, without a word to either side."""
        self._flowing.clear()

    def strand(self) -> None:
        """Let nothing more through on the connections that there are, and tell nobody; new ones are as any."""
        self._flowing.clear()
        self._flowing = _flowing()

    def resume(self) -> None:
        """Let everything through again."""
        self._flowing.set()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            far_reader, far_writer = await self._connect()
        except OSError:
            writer.transport.abort()
            return
        link = (writer, far_writer)
        self._links.add(link)
        flowing = self._flowing
        ways = [asyncio.create_task(self._pass_on(reader, far_writer, flowing)),
                asyncio.create_task(self._pass_on(far_reader, writer, flowing))]  # fmt: skip
        try:
            # Whichever side ends, both do: nobody here speaks on to one who has stopped speaking.
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._links.discard(link)
            for way in ways:
                way.cancel()
            for each in link:
                each.close()

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, flowing: asyncio.Event
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(_CHUNK):
                if self.delay:
                    await asyncio.sleep(self.delay)
                await flowing.wait()
                writer.write(data)
                await writer.drain()


def _flowing() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event


def to_port(port: int) -> Callable[[], Awaitable[Streams]]:
    """Connections to a port of this machine."""
    return lambda: asyncio.open_connection("127.0.0.1", port)
