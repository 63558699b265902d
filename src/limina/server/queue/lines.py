"""What a job has to say, line by line, for whoever asked for it: at whichever process they listen.

Whoever does the job writes its lines into a table; whoever listens looks there again and again, for all jobs that
somebody listens to at that process at once. They also leave word that somebody listens: a job that nobody listens to
any more is ended by whoever does it. Lines are cleared when they are old.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence

from limina.server.storage import Store
from limina.server.storage.kept import KeptConnection
from limina.server.storage.queue_tables import LINES_TABLE, SETTINGS

_LOOK_SECONDS = 0.1
_LISTENS_SECONDS = 1.0
"""How often it is said that somebody listens."""
WANTED_SECONDS = 5.0
"""After which a job is ended of which nobody has said so."""
_GONE_SECONDS = 3.0
"""After which a job that is not in the queue is taken for gone: it may take a moment to come there."""
_LISTENS = -1
"""The number of the line that says when somebody listened last."""
# In the order of the key: of two processes that say so of the same jobs, neither waits for one that waits for it.
_WRITE = f"""
INSERT INTO {LINES_TABLE} (job, number, line) SELECT * FROM unnest($1::text[], $2::int[], $3::bytea[]) ORDER BY 1, 2
ON CONFLICT (job, number) DO UPDATE SET line = excluded.line, at = now()
"""
_READ = f"""
SELECT lines.job, lines.number, lines.line
FROM unnest($1::text[], $2::int[]) AS wanted(job, number)
JOIN {LINES_TABLE} AS lines ON lines.job = wanted.job AND lines.number >= wanted.number
ORDER BY lines.job, lines.number
"""
_WANTED = f"SELECT at > now() - $3 * interval '1 second' FROM {LINES_TABLE} WHERE job = $1 AND number = $2"
_THERE = f"SELECT dedupe_key FROM {SETTINGS.queue_table} WHERE dedupe_key = ANY($1) AND status IN ('queued', 'picked')"
_LOG = logging.getLogger("limina.server")


class _Reader:
    def __init__(self, since: float) -> None:
        self.since = since
        self.told = 0
        self.lines: asyncio.Queue[bytes | None] = asyncio.Queue()


class SharedLines:
    """The lines of all jobs that are done or listened to at this process, on a connection of its own."""

    def __init__(self, store: Store) -> None:
        self._readers: dict[str, _Reader] = {}
        self._some = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._kept = KeptConnection(store.connection)

    def open(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._look_on())

    async def close(self) -> None:
        """Listen no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._kept.close()

    # --- where it is listened to

    async def listen(self, job: str) -> None:
        """Let it be known that somebody listens, before there is such a job: nobody would do it else."""
        await self._kept.ask(_WRITE, [job], [_LISTENS], [b""])

    async def read(self, job: str) -> AsyncIterator[bytes]:
        """The lines as they come, until the job is over; once for each job at a process."""
        reader = self._readers[job] = _Reader(_time())
        self._some.set()
        try:
            while (line := await reader.lines.get()) is not None:
                yield line
        finally:
            if self._readers.get(job) is reader:
                del self._readers[job]

    async def _look_on(self) -> None:
        said = float("-inf")
        while True:
            await self._some.wait()
            if not self._readers:
                self._some.clear()
                continue
            try:
                often = _time() - said < _LISTENS_SECONDS
                gone = [] if often else await self._say_that_somebody_listens()
                said = said if often else _time()
                await self._look()
                for job in gone:
                    if job in self._readers:
                        self._readers[job].lines.put_nowait(None)
            except Exception as error:  # of the database, its driver or the network: it is tried again
                _LOG.warning("what jobs have to say cannot be heard just now: %s", type(error).__name__)
                await asyncio.sleep(_LISTENS_SECONDS)
            await asyncio.sleep(_LOOK_SECONDS)

    async def _say_that_somebody_listens(self) -> list[str]:
        """Say so of all jobs; those that are in the queue no more."""
        jobs = list(self._readers)
        await self._kept.ask(_WRITE, jobs, [_LISTENS] * len(jobs), [b""] * len(jobs))
        there = {row["dedupe_key"] for row in await self._kept.ask(_THERE, jobs)}
        late = _time() - _GONE_SECONDS
        return [job for job in jobs if job not in there and job in self._readers and self._readers[job].since < late]

    async def _look(self) -> None:
        places = {job: reader.told for job, reader in self._readers.items()}
        for row in await self._kept.ask(_READ, list(places), list(places.values())):
            reader = self._readers.get(row["job"])
            if reader is not None and row["number"] == reader.told:
                reader.told += 1
                reader.lines.put_nowait(row["line"])

    # --- where it is done

    async def write(self, job: str, first: int, lines: Sequence[bytes]) -> None:
        """Say so many lines, from the one of this number on."""
        await self._kept.ask(_WRITE, [job] * len(lines), list(range(first, first + len(lines))), list(lines))

    async def wanted(self, job: str) -> bool:
        """Whether anybody listens."""
        rows = await self._kept.ask(_WANTED, job, _LISTENS, WANTED_SECONDS)
        return bool(rows and rows[0][0])


def _time() -> float:
    return asyncio.get_running_loop().time()
