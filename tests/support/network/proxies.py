"""A TCP proxy between a browser and a server that can delay data and cut connections."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit


class Proxy:
    """Forwards data with a delay, until it is cut."""

    def __init__(self, upstream: str) -> None:
        self.upstream = urlsplit(upstream)
        self.delay = 0.0
        """Seconds of extra latency in each direction."""
        self.address = ""
        self._open = True
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()

    def cut(self) -> None:
        """Close all connections and refuse new ones."""
        self._open = False
        self._loop.call_soon_threadsafe(self._close_connections)

    def mend(self) -> None:
        """Accept connections again."""
        self._open = True

    def _close_connections(self) -> None:
        for writer in self._writers:
            writer.close()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._open:
            writer.close()
            return
        upstream_reader, upstream_writer = await asyncio.open_connection(self.upstream.hostname, self.upstream.port)
        self._writers |= {writer, upstream_writer}
        await asyncio.gather(self._forward(reader, upstream_writer), self._forward(upstream_reader, writer))
        self._writers -= {writer, upstream_writer}

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Write what is read, in the same order, each part after the delay."""
        try:
            while part := await reader.read(65536):
                self._loop.call_later(self.delay, self._write, writer, part)
        except ConnectionError:
            pass
        self._loop.call_later(self.delay, writer.close)

    def _write(self, writer: asyncio.StreamWriter, part: bytes) -> None:
        if not writer.is_closing():
            writer.write(part)

    def run(self, ready: threading.Event) -> None:
        """Accept connections until `stop`; runs in a thread of its own."""
        listening = self._loop.run_until_complete(asyncio.start_server(self._connect, "127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        ready.set()
        self._loop.run_forever()
        listening.close()
        self._loop.run_until_complete(self._end())
        self._loop.close()

    async def _end(self) -> None:
        """Cancel all other tasks and wait for them."""
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def stop(self) -> None:
        """Close all connections and end `run`."""
        self._loop.call_soon_threadsafe(self._close_connections)
        self._loop.call_soon_threadsafe(self._loop.stop)


@contextmanager
def proxy(upstream: str) -> Iterator[Proxy]:
    """Run a proxy in front of a server."""
    running = Proxy(upstream)
    ready = threading.Event()
    thread = threading.Thread(target=running.run, args=(ready,), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield running
    finally:
        running.stop()
        thread.join()
