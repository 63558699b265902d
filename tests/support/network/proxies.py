"""A connection that is slow, or away: what stands between a browser and a server."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit


class Proxy:
    """Passes everything on, as late as it is told, until it is cut."""

    def __init__(self, behind: str) -> None:
        self.behind = urlsplit(behind)
        self.delay = 0.0
        self.address = ""
        self._open = True
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()

    def cut(self) -> None:
        """End every connection and take no new one."""
        self._open = False
        self._loop.call_soon_threadsafe(self._hang_up)

    def mend(self) -> None:
        """Let connections through again."""
        self._open = True

    def _hang_up(self) -> None:
        for writer in self._writers:
            writer.close()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._open:
            writer.close()
            return
        there = await asyncio.open_connection(self.behind.hostname, self.behind.port)
        self._writers |= {writer, there[1]}
        await asyncio.gather(self._pass_on(reader, there[1]), self._pass_on(there[0], writer))
        self._writers -= {writer, there[1]}

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """What comes in goes out in the same order, each part after the delay."""
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
        """Serve until the loop is stopped."""
        listening = self._loop.run_until_complete(asyncio.start_server(self._connect, "127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        ready.set()
        self._loop.run_forever()
        listening.close()
        self._loop.run_until_complete(self._end())
        self._loop.close()

    async def _end(self) -> None:
        """Nothing is left half done."""
        ended = asyncio.all_tasks() - {asyncio.current_task()}
        for task in ended:
            task.cancel()
        await asyncio.gather(*ended, return_exceptions=True)

    def stop(self) -> None:
        """Stop serving."""
        self._loop.call_soon_threadsafe(self._hang_up)
        self._loop.call_soon_threadsafe(self._loop.stop)


@contextmanager
def proxy(behind: str) -> Iterator[Proxy]:
    """A proxy before a server."""
    found = Proxy(behind)
    ready = threading.Event()
    thread = threading.Thread(target=found.run, args=(ready,), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield found
    finally:
        found.stop()
        thread.join()
