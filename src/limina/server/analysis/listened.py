"""Jobs with something to say, of processes that share a queue: heard where somebody asked, done where a place is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from limina.server.errors import UnavailableError
from limina.server.jobs import Job, JobLines, JobQueue

_LOOK_SECONDS = 2.0
"""How often whoever does such a job looks whether anybody still listens."""


class ListenedJobs:
    """Both sides of such jobs."""

    def __init__(self, queue: JobQueue, lines: JobLines) -> None:
        self._queue = queue
        self._lines = lines

    def check(self, job: Job) -> None:
        """RefusedError where it would be one too many now."""
        self._queue.check(job)

    def busy(self, job: Job) -> bool:
        """Whether others of its kind wait already."""
        return self._queue.waiting[job.kind] > 0

    async def lines(self, job: Job) -> AsyncGenerator[bytes]:
        """Have it done, and hear what it says until it is over."""
        try:
            await self._lines.listen(job.name)
        except Exception as error:  # of the database, its driver or the network
            raise UnavailableError("this cannot be looked at just now: please try again") from error
        self._queue.add(job)
        async for line in self._lines.read(job.name):
            yield line

    async def say(self, job: Job, lines: AsyncGenerator[bytes]) -> None:
        """Do it: say these lines, as long as anybody listens."""
        if not await self._lines.wanted(job.name):
            return
        saying = asyncio.create_task(self._say(job, lines))
        try:
            while not saying.done() and await self._lines.wanted(job.name):
                await asyncio.wait([saying], timeout=_LOOK_SECONDS)
            if saying.done():
                await saying
        finally:
            saying.cancel()
            await asyncio.gather(saying, return_exceptions=True)

    async def _say(self, job: Job, lines: AsyncGenerator[bytes]) -> None:
        number = 0
        async with aclosing(lines):
            async for line in lines:
                await self._lines.write(job.name, number, [line])
                number += 1
