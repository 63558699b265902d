"""Reviews of finished games: one at a time, told line by line as they come, ended when nobody listens any more.

One that came to its end is kept in the store, and the last few in memory too.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import time
import zlib
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import suppress
from typing import Any

from limina import __version__
from limina.record import Record
from limina.server.errors import RefusedError
from limina.server.model import SavedReview
from limina.server.storage import Store
from limina.server.wire.encoding import dump, error

PATIENCE = 10
"""How far behind the server the process that reviews stands in the queue for the processor."""
MOST_TURNS = 600
"""Longer games would be looked at too fleetingly to learn from."""
_MOST_WAITING = 8
_MOST_KEPT = 100
_MOST_LINE = 256 * 1024
_WORKER = (sys.executable, "-m", "limina.analysis.worker")
_LOG = logging.getLogger("limina.server")


class Review:
    """One review: the lines so far, for all who listen."""

    def __init__(self, record: Record, lines: Sequence[bytes] = ()) -> None:
        self.record = record
        self.lines = list(lines)
        self.done = bool(lines)
        self.listeners = 0
        self.task: asyncio.Task[None] | None = None
        self._news = asyncio.Event()

    def say(self, line: dict[str, Any] | bytes) -> None:
        """One more line, for all who listen."""
        self.lines.append(line if isinstance(line, bytes) else dump(line) + b"\n")
        self.wake()

    def wake(self) -> None:
        """Let all who listen look again."""
        self._news.set()
        self._news = asyncio.Event()

    async def listen(self) -> AsyncIterator[bytes]:
        """Every line, from the first on, as it comes."""
        told = 0
        while True:
            news = self._news
            while told < len(self.lines):
                told += 1
                yield self.lines[told - 1]
            if self.done:
                return
            await news.wait()


class Reviews:
    """All reviews that run, wait or are remembered."""

    def __init__(self, store: Store | None = None, worker: Sequence[str] = _WORKER) -> None:
        self._worker = worker
        self._store = store
        self._known: OrderedDict[str, Review] = OrderedDict()
        self._turn = asyncio.Lock()

    async def check(self, key: str, record: Record) -> None:
        """Refuse what cannot be reviewed, before anything is answered. What was reviewed before is found again."""
        if record.end.outcome is None:
            raise RefusedError("stale", "this game is still running: it can be reviewed once it is over")
        turns = sum(step.player is not None for step in record.steps)
        if turns > MOST_TURNS:
            raise RefusedError("too_large", f"games of up to {MOST_TURNS} turns can be reviewed, this one has {turns}")
        if key in self._known:
            return
        kept = await self._store.review(key, __version__) if self._store is not None else None
        if kept is not None and key not in self._known:
            self._known[key] = Review(record, zlib.decompress(kept).splitlines(keepends=True))
            self._forget()
        running = sum(not review.done for review in self._known.values())
        if key not in self._known and running > _MOST_WAITING:
            raise RefusedError("too_many", "many games are being reviewed already: please try again in a minute")

    async def watch(self, key: str, record: Record) -> AsyncGenerator[bytes]:
        """The lines of a review, which is begun if nobody asked for it before."""
        review = self._known.get(key)
        if review is None:
            review = self._known[key] = Review(record)
            review.task = asyncio.create_task(self._run(key, review))
        self._known.move_to_end(key)
        review.listeners += 1
        try:
            async for line in review.listen():
                yield line
        finally:
            review.listeners -= 1
            if not review.listeners and not review.done:
                self._drop(key, review)

    async def stop(self) -> None:
        """Review no more."""
        tasks = [review.task for review in self._known.values() if review.task is not None]
        for key, review in list(self._known.items()):
            self._drop(key, review)
        await asyncio.gather(*tasks, return_exceptions=True)

    def _drop(self, key: str, review: Review) -> None:
        if self._known.get(key) is review:
            del self._known[key]
        if review.task is not None:
            review.task.cancel()

    async def _run(self, key: str, review: Review) -> None:
        record = review.record
        turns = sum(step.player is not None for step in record.steps)
        unit = "chance" if record.game.spec.scale.percent else "points"
        try:
            review.say({"type": "begin", "turns": turns, "unit": unit, "waiting": self._turn.locked()})
            async with self._turn:
                well = await self._work(review)
            if not well:
                _LOG.error("a review failed")
                review.say({"type": "failed", **error("unavailable", "this game could not be reviewed")})
                self._known.pop(key, None)  # so that it can be asked for again
        finally:
            review.done = True
            review.wake()
        self._forget()
        if well and self._store is not None:
            kept = zlib.compress(b"".join(_not_waiting(review.lines)))
            await self._store.keep(SavedReview(key, __version__, time.time_ns() // 1_000_000, kept))

    def _forget(self) -> None:
        while len(self._known) > _MOST_KEPT:
            oldest = next(iter(self._known))
            if not self._known[oldest].done:
                break
            del self._known[oldest]

    async def _work(self, review: Review) -> bool:
        """Let the worker review; whether it came to its end."""
        process = await asyncio.create_subprocess_exec(
            *self._worker,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_MOST_LINE,
        )
        _step_back(process.pid)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(review.record.write().encode())
            with suppress(OSError):  # it died at once: then nothing comes
                await process.stdin.drain()
            process.stdin.close()
            ended = False
            async for line in process.stdout:
                review.say(line)
                ended = line.startswith(b'{"type":"end"')
            return ended
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _step_back(process: int) -> None:
    """Let everything else go first, from the worker's first moment on: its start alone is half a second of work."""
    with suppress(OSError, AttributeError):  # gone already, or not on this system
        os.setpriority(os.PRIO_PROCESS, process, PATIENCE)


def _not_waiting(lines: Sequence[bytes]) -> list[bytes]:
    """The lines for whoever asks later: nothing has to be waited for then."""
    return [dump({**json.loads(lines[0]), "waiting": False}) + b"\n", *lines[1:]]
