"""Reviews of finished games, and trials of decks by bots, as streams of lines.

Each is a job (`limina.server.jobs`) that runs in a subprocess and is cancelled when no client reads it. A complete
review is saved. Records that clients send, and trials that ran out of time, are not saved.
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
from limina.server.schemas.json_encoding import dump, error_fields
from limina.server.storage import Store
from limina.server.storage.reviews import SavedReview

MAX_REVIEW_TURNS = 600
"""Upper bound of the turns of a game. A longer one would get too little time for each turn."""
_MAX_RUNNING = max(2, os.cpu_count() or 1)
_MILLISECONDS_PER_TURN = 50
_MAX_LINE_BYTES = 256 * 1024
_COMMAND = (sys.executable, "-m", "limina.isolated.review")
_KIND = "review"
_END = b'{"type":"end"'
_OUT_OF_MEMORY = b'{"type":"out_of_memory"'
_LOG = logging.getLogger("limina.server")


def review_pool(max_running: int = _MAX_RUNNING) -> dict[str, PoolLimits]:
    """Return the limits of the pool of reviews."""
    message = "many games are being reviewed just now: please try again in a minute"
    return {"reviews": PoolLimits(max_running, max(1, max_running // 2), 32, max_waiting_per_client=8, message=message)}


TRIAL_DEALS = 24
TRIAL_SECONDS = 7.0
"""Time in which bots play the deals of a trial. The start of the process takes about a second more."""


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """A game to review, or a deck for bots to play."""

    payload: bytes
    """Input of the subprocess: the record without its extra fields, or the deck, as JSON."""
    turns: int
    """Number of turns or deals in the result."""
    unit: str
    over: bool

    @classmethod
    def from_deck(cls, game: str, faces: Sequence[str]) -> ReviewRequest:
        """Return the request for a trial of a deck, whose faces must be valid."""
        trial = {"game": game, "faces": list(faces), "deals": TRIAL_DEALS, "seconds": TRIAL_SECONDS}
        return cls(dump({"trial": trial}), TRIAL_DEALS, "points", over=True)

    @classmethod
    def from_record(cls, record: Record) -> ReviewRequest:
        """Return the request for a review of a record."""
        turns = sum(step.player is not None for step in record.steps)
        unit = "probability" if record.game.spec.scale.is_probability else "points"
        return cls(dump(replace(record, extra={}).to_json()), turns, unit, record.position.outcome is not None)

    @classmethod
    def from_json(cls, answer: bytes) -> ReviewRequest:
        """Return the request from an answer of `limina.isolated.record` to the question "review_request"."""
        fields = json.loads(answer)
        return cls(dump(fields["record"]), fields["turns"], fields["unit"], fields["over"])


class Reviews:
    """Reviews as jobs. Clients that request the same review at the same time read the lines of one job."""

    def __init__(self, queue: JobQueue, store: Store, command: Sequence[str] = _COMMAND) -> None:
        self._command = command
        self._store = store
        self._queue = queue
        self._saving: set[asyncio.Task[None]] = set()

    async def check(self, review_id: str, request: ReviewRequest) -> None:
        """Raise RefusedError if the game cannot be reviewed, or too many reviews wait."""
        if not request.over:
            raise RefusedError("stale", "this game is still running: it can be reviewed once it is over")
        if request.turns > MAX_REVIEW_TURNS:
            reason = f"games of up to {MAX_REVIEW_TURNS} turns can be reviewed, this one has {request.turns}"
            raise RefusedError("too_large", reason)
        saved = await self._store.reviews.review(review_id, __version__)
        if saved is None and not self._queue.is_watched(_job_id(review_id)):
            self._queue.check("reviews")

    async def stream(self, review_id: str, request: ReviewRequest) -> AsyncGenerator[bytes]:
        """Yield the lines of a saved review, or those of a job as it writes them."""
        job_id, cost = _job_id(review_id), _MILLISECONDS_PER_TURN * request.turns
        job = Job(job_id, _KIND, "reviews", self._queue.client(), cost, payload=request.payload)
        saved = await self._store.reviews.review(review_id, __version__)
        waiting = saved is None and self._queue.must_wait(job)
        yield _line({"type": "begin", "turn_count": request.turns, "unit": request.unit, "waiting": waiting})
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
                reason = "this review takes more memory than allowed: please try a shorter game"
                raise RefusedError("too_large", reason)
            if not last.startswith(_END):
                _LOG.error("review job %s failed: it ended without a result", job_id)
                raise RefusedError("unavailable", "this game could not be reviewed: please try again")
        except (RefusedError, UnavailableError) as failure:
            yield _line({"type": "failed", **error_fields(error_code(failure), str(failure))})

    async def stop(self) -> None:
        """Wait until all reviews are saved that are complete at this moment."""
        await asyncio.gather(*self._saving)

    def handlers(self) -> dict[str, Handler]:
        """Return the handler of these jobs by their kind."""
        return {_KIND: Handler(self._run, needs_watcher=True)}

    async def _run(self, job: Job, write: WriteLine) -> bool:
        lines: list[bytes] = []
        async with aclosing(_process_output(self._command, job.payload)) as output:
            async for line in output:
                lines.append(line)
                if line.startswith(_END):
                    await self._save_result(job, lines)
                await write(line)
        return True

    async def _save_result(self, job: Job, lines: Sequence[bytes]) -> None:
        """Save the lines of a complete job, even if the job is cancelled meanwhile."""
        if job.payload.startswith(b'{"trial"') and len(lines) <= TRIAL_DEALS:  # it ran out of time
            return
        review_id, now = job.job_id.split(" ", 2)[2], time.time_ns() // 1_000_000
        review = SavedReview(review_id, __version__, now, zlib.compress(b"".join(lines)))
        saving = asyncio.create_task(self._save(review))
        self._saving.add(saving)
        saving.add_done_callback(self._saving.discard)
        await asyncio.shield(saving)

    async def _save(self, review: SavedReview) -> None:
        with suppress(UnavailableError):  # the store logs it; the next request runs the review again
            await self._store.reviews.save_review(review)


def _job_id(review_id: str) -> str:
    """Return the id of a review's job, which contains the version: servers of two versions do not share a job."""
    return f"{_KIND} {__version__} {review_id}"


def _line(value: dict[str, Any]) -> bytes:
    return dump(value) + b"\n"


async def _process_output(command: Sequence[str], payload: bytes) -> AsyncGenerator[bytes]:
    """Yield the lines that a subprocess writes for its input. Closing the generator kills the subprocess."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=_MAX_LINE_BYTES,
    )
    lower_priority(process.pid)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(payload)
        with suppress(OSError):  # the process died at once: it has no output
            await process.stdin.drain()
        process.stdin.close()
        async for line in process.stdout:
            yield line
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
