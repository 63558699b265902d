"""Reviews of finished games, and trials of decks by bots: lines are sent as they come.

Each is a job (`limina.server.jobs`) that runs in a subprocess and ends when it has no readers. A complete review is
saved; the record that was sent is not, nor a trial that was cut short by the time that it may take.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import time
import zlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from typing import Any

from limina import __version__
from limina.core.record import Record
from limina.server.analysis.subprocess_pool import lower_priority
from limina.server.errors import RefusedError, UnavailableError, error_code
from limina.server.jobs import Handler, Job, JobQueue, PoolLimits, WriteLine
from limina.server.schemas.json_encoding import dump, error
from limina.server.storage import Store
from limina.server.storage.reviews import SavedReview

MAX_REVIEW_TURNS = 600
"""Longer games would be looked at too fleetingly to learn from."""
_MAX_RUNNING = max(2, os.cpu_count() or 1)
_MILLISECONDS_A_TURN = 50
_MOST_LINE = 256 * 1024
_WORKER = (sys.executable, "-m", "limina.isolated.review")
_KIND = "review"
_END = b'{"type":"end"'
_OUT_OF_MEMORY = b'{"type":"out_of_memory"'
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
    def from_deck(cls, game: str, faces: Sequence[str]) -> ReviewRequest:
        """A deck whose faces are sound."""
        asked = {"game": game, "faces": list(faces), "deals": TRIAL_DEALS, "seconds": TRIAL_SECONDS}
        return cls(dump({"trial": asked}), TRIAL_DEALS, "points", over=True)

    @classmethod
    def from_record(cls, record: Record) -> ReviewRequest:
        """That of a record which was read already."""
        turns = sum(step.player is not None for step in record.steps)
        unit = "probability" if record.game.spec.scale.is_probability else "points"
        return cls(dump(replace(record, extra={}).to_json()), turns, unit, record.end.outcome is not None)

    @classmethod
    def from_json(cls, told: bytes) -> ReviewRequest:
        """What the reader of records has told of one."""
        found = json.loads(told)
        return cls(dump(found["record"]), found["turns"], found["unit"], found["over"])


class Reviews:
    """Reviews as jobs: each reads the same lines, however many ask for it at the same time."""

    def __init__(self, queue: JobQueue, store: Store, worker: Sequence[str] = _WORKER) -> None:
        self._worker = worker
        self._store = store
        self._queue = queue
        self._saving: set[asyncio.Task[None]] = set()

    async def check(self, key: str, game: ReviewRequest) -> None:
        """Raise RefusedError if this cannot be reviewed, before anything is answered."""
        if not game.over:
            raise RefusedError("stale", "this game is still running: it can be reviewed once it is over")
        if game.turns > MAX_REVIEW_TURNS:
            sentence = f"games of up to {MAX_REVIEW_TURNS} turns can be reviewed, this one has {game.turns}"
            raise RefusedError("too_large", sentence)
        if not self._queue.is_read(_job_id(key)) and await self._store.reviews.review(key, __version__) is None:
            self._queue.check("reviews")

    async def stream(self, key: str, game: ReviewRequest) -> AsyncGenerator[bytes]:
        """Yield the lines of a review: those that are saved, or those of a job as they come."""
        job_id, cost = _job_id(key), _MILLISECONDS_A_TURN * game.turns
        job = Job(job_id, _KIND, "reviews", self._queue.client(), cost, payload=game.record)
        saved = await self._store.reviews.review(key, __version__)
        waiting = saved is None and self._queue.must_wait(job)
        yield _line({"type": "begin", "turns": game.turns, "unit": game.unit, "waiting": waiting})
        if saved is not None:
            for line in zlib.decompress(saved).splitlines(keepends=True):
                if not line.startswith(b'{"type":"begin"'):  # earlier versions saved this line too
                    yield line
            return
        last = b""
        try:
            async with aclosing(self._queue.submit(job)) as lines:
                async for last in lines:
                    if not last.startswith(_OUT_OF_MEMORY):
                        yield last
            if last.startswith(_OUT_OF_MEMORY):
                sentence = "this takes more memory than a review may use: please try a shorter game"
                raise RefusedError("too_large", sentence)
            if not last.startswith(_END):
                _LOG.error("a review failed")
                raise RefusedError("unavailable", "this game could not be reviewed")
        except (RefusedError, UnavailableError) as failure:
            yield _line({"type": "failed", **error(error_code(failure), str(failure))})

    async def stop(self) -> None:
        """Finish saving reviews."""
        await asyncio.gather(*self._saving)

    def handlers(self) -> dict[str, Handler]:
        """Return what runs these jobs."""
        return {_KIND: Handler(self._run, needs_reader=True)}

    async def _run(self, job: Job, write: WriteLine) -> bool:
        lines: list[bytes] = []
        async with aclosing(lines_of(self._worker, job.payload)) as output:
            async for line in output:
                lines.append(line)
                if line.startswith(_END):
                    await self._finish(job, lines)
                await write(line)
        return True

    async def _finish(self, job: Job, lines: Sequence[bytes]) -> None:
        """Save the lines of a job, even if it is canceled meanwhile."""
        if job.payload.startswith(b'{"trial"') and len(lines) <= TRIAL_DEALS:  # cut short by its time
            return
        key, now = job.job_id.split(" ", 2)[2], time.time_ns() // 1_000_000
        review = SavedReview(key, __version__, now, zlib.compress(b"".join(lines)))
        saving = asyncio.create_task(self._save(review))
        self._saving.add(saving)
        saving.add_done_callback(self._saving.discard)
        await asyncio.shield(saving)

    async def _save(self, review: SavedReview) -> None:
        with suppress(UnavailableError):  # it is in the log; the review is made again when it is next asked for
            await self._store.reviews.save_review(review)


def _job_id(key: str) -> str:
    """Return the id of the job that makes a review. Versions do not continue each other's lines."""
    return f"{_KIND} {__version__} {key}"


def _line(value: dict[str, Any]) -> bytes:
    return dump(value) + b"\n"


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
