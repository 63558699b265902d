"""Work that is not answering: bots' turns, reviews, records that are read. Who is next is decided here, for all kinds.

Each kind has a lane, in which only so many are done at once. The others wait in a fair order: each client has the same
share of the lane, in expected work and not in jobs; unwatched jobs count several times their work. Of one client's jobs
the watched ones come first, then the cheapest. A lane has an end, and whoever comes then is told so.

A job is data. A process that has its database for itself keeps its own in memory and gives each the work to do when
its turn comes; the queue that several processes share (`limina.server.queue`) keeps the same data in the database and
finds the work by kind and key.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol, TypeVar

from limina.server.errors import RefusedError

T = TypeVar("T")
NOBODY = ""
CURRENT_CLIENT: ContextVar[str] = ContextVar("client", default=NOBODY)
"""Whose request is being answered: what follows from it is done in their name."""
UNWATCHED_WEIGHT = 4
"""Factor by which an unwatched job counts more against its client's share than a watched one. It is a weight and not a
rank: the watched jobs of one client, however many, do not keep another client's jobs from their turn."""
_RETRY = 10


def _always() -> bool:
    return True


def charge(cost: float, watched: bool) -> float:
    """Expected milliseconds that count against a client's share for a job."""
    return cost if watched else UNWATCHED_WEIGHT * cost


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do for somebody."""

    kind: str
    """Which lane it takes."""
    key: str
    """What it is about; with the kind it is known by this."""
    client: str
    cost: float
    """Milliseconds that it is expected to take."""
    watched: Callable[[], bool] = field(default=_always, compare=False)
    """Whether anybody waits for it; asked when the next job is chosen."""
    at: float | None = None
    """Seconds since 1970 before which its turn does not come."""
    data: bytes = field(default=b"", compare=False)
    """What whoever does it needs to know beside the key."""

    @property
    def name(self) -> str:
        """What it is known by among all."""
        return f"{self.kind} {self.key}"


class Jobs(Protocol):
    """Whoever has jobs done."""

    def check(self, job: Job) -> None:
        """RefusedError where it would be one too many now."""


class JobQueue(Jobs, Protocol):
    """Jobs that any of several processes may do: whoever does one finds out by its kind what that is."""

    def add(self, job: Job, *, unless_there: bool = False) -> None:
        """Have it done; RefusedError where too many wait. Never waits. What is there already is not added again.

        Where it is likely to be there, say so: then it is looked for first.
        """

    @property
    def waiting(self) -> Mapping[str, int]:
        """How many jobs of each kind wait, as far as is known."""

    async def lost(self, seconds: float, most: int) -> list[str]:
        """Matches in which a bot is to move for longer than that, and about which there is no job."""


class JobLines(Protocol):
    """What jobs of such a queue have to say: written where they are done, read where somebody asked for them."""

    async def listen(self, job: str) -> None:
        """Let it be known that somebody listens to a job, before there is one of this name."""

    def read(self, job: str) -> AsyncIterator[bytes]:
        """The lines as they come, until the job is over."""

    async def write(self, job: str, first: int, lines: Sequence[bytes]) -> None:
        """Say so many lines, from the one of this number on."""

    async def wanted(self, job: str) -> bool:
        """Whether anybody listens."""


@dataclass(frozen=True, slots=True)
class LaneSize:
    """How much of one kind is done at once, and how much may wait."""

    at_once: int
    at_once_of_one: int
    """Of one client: fewer than there are places, where what runs is long, so that one is left for others."""
    waiting: int
    waiting_of_one: int
    sentence: str
    """What is told to whoever comes when it is full."""

    def check(self, waiting: int, of_one: int) -> None:
        """Refuse one more where so many wait already, in all and of the same client."""
        if of_one >= self.waiting_of_one:
            raise RefusedError("too_many", self.sentence, retry=_RETRY)
        if waiting >= self.waiting:
            raise RefusedError("unavailable", self.sentence, retry=_RETRY)


@dataclass(eq=False, slots=True)
class _Waiting:
    job: Job
    number: int
    turn: asyncio.Future[None]
    begun: bool = False
    due: bool = True
    """Whether the time has come before which it must not begin."""


class Lane:
    """The jobs of one kind. Start-time fair queueing: a client's next job starts, in the lane's own time, where its
    last one was expected to end, or now if that is later; whoever starts first is next."""

    def __init__(self, size: LaneSize) -> None:
        self._size = size
        self._waiting: dict[int, _Waiting] = {}
        self._running: Counter[str] = Counter()
        self._numbers = count()
        self._now = 0.0
        self._ends: dict[str, float] = {}

    def check(self, job: Job) -> None:
        """Refuse what would be too much."""
        of_one = sum(each.job.client == job.client for each in self._waiting.values())
        self._size.check(len(self._waiting), of_one)

    def submit(self, job: Job, work: Callable[[], Awaitable[T]]) -> asyncio.Task[T]:
        """Have it done when its turn comes."""
        self.check(job)
        waiting = _Waiting(job, next(self._numbers), asyncio.get_running_loop().create_future())
        self._waiting[waiting.number] = waiting
        if job.at is not None and job.at > time.time():
            waiting.due = False
            asyncio.get_running_loop().call_later(job.at - time.time(), self._come_due, waiting)
        self._begin()

        async def wait_and_work() -> T:
            await waiting.turn
            return await work()

        task = asyncio.create_task(wait_and_work())
        # Not in the coroutine: one that is cancelled at once never begins.
        task.add_done_callback(lambda _: self._end(waiting))
        return task

    def waits(self, job: Job) -> bool:
        """Whether it is there and its turn has not come yet."""
        return any(each.job == job for each in self._waiting.values())

    def _begin(self) -> None:
        while self._running.total() < self._size.at_once:
            ready = [each for each in self._waiting.values() if self._may_begin(each)]
            if not ready:
                return
            chosen = min(ready, key=self._order)
            del self._waiting[chosen.number]
            client = chosen.job.client
            self._now = self._start(client)
            self._ends[client] = self._now + charge(chosen.job.cost, chosen.job.watched())
            self._running[client] += 1
            chosen.begun = True
            chosen.turn.set_result(None)

    def _come_due(self, waiting: _Waiting) -> None:
        waiting.due = True
        self._begin()

    def _may_begin(self, waiting: _Waiting) -> bool:
        free = self._running[waiting.job.client] < self._size.at_once_of_one
        return free and waiting.due and not waiting.turn.done()

    def _order(self, waiting: _Waiting) -> tuple[float, bool, float, int]:
        job = waiting.job
        return self._start(job.client), not job.watched(), job.cost, waiting.number

    def _start(self, client: str) -> float:
        return max(self._now, self._ends.get(client, 0.0))

    def _end(self, waiting: _Waiting) -> None:
        if waiting.begun:
            client = waiting.job.client
            self._running[client] -= 1
            if not self._running[client]:
                del self._running[client]
        else:
            self._waiting.pop(waiting.number, None)
        # What is over is forgotten, and with an empty lane everything.
        busy = bool(self._waiting or self._running)
        self._ends = {client: end for client, end in self._ends.items() if busy and end > self._now}
        self._begin()


class LocalJobs(Jobs):
    """Jobs that are done in this process, in the order of their lanes."""

    def __init__(self, sizes: Mapping[str, LaneSize]) -> None:
        self._lanes = {kind: Lane(size) for kind, size in sizes.items()}

    def submit(self, job: Job, work: Callable[[], Awaitable[T]]) -> asyncio.Task[T]:
        """Have it done when its turn comes. To cancel the task ends it, whether it waits or is being done.

        RefusedError where too many wait already.
        """
        return self._lanes[job.kind].submit(job, work)

    def check(self, job: Job) -> None:
        """Refuse what would be too much."""
        self._lanes[job.kind].check(job)

    def waits(self, job: Job) -> bool:
        """Whether it is submitted and its turn has not come yet."""
        return self._lanes[job.kind].waits(job)
