"""Reviews of finished games, and what bots score with a deck: told as they come, ended when nobody listens any more.

Each is a job (`limina.server.jobs`) that runs in a subprocess. A complete one is kept in the store, and the last few in
memory too; the record that was sent is not kept. Nor is a trial that was cut short by the time that it may take.
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
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from typing import Any

from limina import __version__
from limina.core.record import Record
from limina.server.analysis.subprocess_pool import lower_priority
from limina.server.errors import RefusedError, UnavailableError, code_of
from limina.server.jobs import Handler, Job, JobQueue, PoolLimits, WriteLine
from limina.server.storage import Store
from limina.server.storage.reviews import SavedReview
from limina.server.wire.encoding import dump, error

MOST_TURNS = 600
"""Longer games would be looked at too fleetingly to learn from."""
_MAX_RUNNING = max(2, os.cpu_count() or 1)
_MILLISECONDS_A_TURN = 50
_MOST_KEPT = 100
_MOST_LINE = 256 * 1024
_WORKER = (sys.executable, "-m", "limina.isolated.review")
_KIND = "review"
_LOG = logging.getLogger("limina.server")


def review_pool(running: int = _MAX_RUNNING) -> dict[str, PoolLimits]:
    """Return the limits of the pool of reviews, with so many that run at once."""
    message = "many games are being reviewed already: please try again in a minute"
    return {"reviews": PoolLimits(running, max(1, running // 2), 32, max_waiting_per_client=8, message=message)}


TRIAL_DEALS = 24
TRIAL_SECONDS = 7.0
"""What bots may take to play them, beside the second in which a process starts."""


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """A game to look back at, and nothing else that its record may hold; or a deck that bots are to play."""

    record: bytes
    """As the worker reads it."""
    turns: int
    """How many turns, or deals, will be told of."""
    unit: str
    over: bool

    @classmethod
    def trial(cls, game: str, faces: Sequence[str]) -> ReviewRequest:
        """A deck whose faces are sound."""
        asked = {"game": game, "faces": list(faces), "deals": TRIAL_DEALS, "seconds": TRIAL_SECONDS}
        return cls(dump({"trial": asked}), TRIAL_DEALS, "points", over=True)

    @classmethod
    def of(cls, record: Record) -> ReviewRequest:
        """That of a record which was read already."""
        turns = sum(step.player is not None for step in record.steps)
        unit = "probability" if record.game.spec.scale.percent else "points"
        return cls(dump(replace(record, extra={}).to_json()), turns, unit, record.end.outcome is not None)

    @classmethod
    def read(cls, told: bytes) -> ReviewRequest:
        """What the reader of records has told of one."""
        found = json.loads(told)
        return cls(dump(found["record"]), found["turns"], found["unit"], found["over"])

    def cut_short(self, lines: int) -> bool:
        """Whether a trial was ended by the clock: with so many lines, the first and the last among them."""
        return self.record.startswith(b'{"trial"') and lines < self.turns + 2


class Review:
    """One review: the lines so far, for all who listen."""

    def __init__(self, lines: Sequence[bytes] = ()) -> None:
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

    def __init__(self, queue: JobQueue, store: Store | None = None, worker: Sequence[str] = _WORKER) -> None:
        self._worker = worker
        self._store = store
        self._queue = queue
        self._known: OrderedDict[str, Review] = OrderedDict()

    async def check(self, key: str, game: ReviewRequest) -> None:
        """Refuse what cannot be reviewed, before anything is answered. What was reviewed before is found again."""
        if not game.over:
            raise RefusedError("stale", "this game is still running: it can be reviewed once it is over")
        if game.turns > MOST_TURNS:
            sentence = f"games of up to {MOST_TURNS} turns can be reviewed, this one has {game.turns}"
            raise RefusedError("too_large", sentence)
        if key in self._known:
            return
        kept = await self._store.reviews.review(key, __version__) if self._store is not None else None
        if kept is not None and key not in self._known:
            self._known[key] = Review(zlib.decompress(kept).splitlines(keepends=True))
            self._forget()
        if key not in self._known:
            self._queue.check("reviews")

    async def watch(self, key: str, game: ReviewRequest) -> AsyncGenerator[bytes]:
        """The lines of a review, which is begun if nobody asked for it before."""
        review = self._known.get(key)
        if review is None:
            review = self._known[key] = Review()
            review.task = asyncio.create_task(self._run(key, review, game))
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
        if review.task is not None and not review.done:  # one that is done is being saved
            review.task.cancel()

    async def _run(self, key: str, review: Review, game: ReviewRequest) -> None:
        well = False
        try:
            waiting = self._queue.is_busy("reviews")
            review.say({"type": "begin", "turns": game.turns, "unit": game.unit, "waiting": waiting})
            well = await _tell(review, self._queue.submit(self._job(key, game)))
        except (RefusedError, UnavailableError) as full:  # others were quicker
            review.say({"type": "failed", **error(code_of(full), str(full))})
            self._known.pop(key, None)
        else:
            if not well:
                _LOG.error("a review failed")
                review.say({"type": "failed", **error("unavailable", "this game could not be reviewed")})
                self._known.pop(key, None)  # so that it can be asked for again
        finally:
            review.done = True
            review.wake()
        if well and game.cut_short(len(review.lines)):
            self._known.pop(key, None)
            return
        self._forget()
        if well and self._store is not None:
            kept = zlib.compress(b"".join(_not_waiting(review.lines)))
            with suppress(UnavailableError):  # it is in the log; the review is made again when it is next asked for
                await self._store.reviews.save_review(SavedReview(key, __version__, time.time_ns() // 1_000_000, kept))

    def _forget(self) -> None:
        while len(self._known) > _MOST_KEPT:
            oldest = next(iter(self._known))
            if not self._known[oldest].done:
                break
            del self._known[oldest]

    def _job(self, key: str, game: ReviewRequest) -> Job:
        # Another version may think better: they do not go on with each other's lines.
        job_id, cost = f"{_KIND} {__version__} {key}", _MILLISECONDS_A_TURN * game.turns
        return Job(job_id, _KIND, "reviews", self._queue.client(), cost, payload=game.record)

    def handlers(self) -> dict[str, Handler]:
        """Return what runs these jobs."""

        async def run(job: Job, write: WriteLine) -> bool:
            async with aclosing(lines_of(self._worker, job.payload)) as lines:
                async for line in lines:
                    await write(line)
            return True

        return {_KIND: Handler(run, needs_reader=True)}


async def lines_of(worker: Sequence[str], record: bytes) -> AsyncGenerator[bytes]:
    """What a worker says of a record, as it comes; to close it ends the worker."""
    process = await asyncio.create_subprocess_exec(
        *worker,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=_MOST_LINE,
    )
    lower_priority(process.pid)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(record)
        with suppress(OSError):  # it died at once: then nothing comes
            await process.stdin.drain()
        process.stdin.close()
        async for line in process.stdout:
            yield line
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _tell(review: Review, lines: AsyncGenerator[bytes]) -> bool:
    """Let all who listen hear the lines; whether they came to their end."""
    complete = out_of_memory = False
    async with aclosing(lines):
        async for line in lines:
            if line.startswith(b'{"type":"out_of_memory"'):
                out_of_memory = True
            else:
                review.say(line)
                complete = line.startswith(b'{"type":"end"')
    if out_of_memory:
        raise RefusedError("too_large", "this takes more memory than a review may use: please try a shorter game")
    return complete


def _not_waiting(lines: Sequence[bytes]) -> list[bytes]:
    """The lines for whoever asks later: nothing has to be waited for then."""
    return [dump({**json.loads(lines[0]), "waiting": False}) + b"\n", *lines[1:]]
