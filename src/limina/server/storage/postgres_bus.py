"""The bus of PostgreSQL: NOTIFY, sent on a connection of its own after the commit.

Within the commit it would hold a lock of the whole database until the disk has written, for everybody.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from typing import Any

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from limina.server.storage.bus import Heard, HeardJobs, LocalBus
from limina.server.storage.jobs import JobTable
from limina.server.storage.postgres import driver_of

COMPARE_SECONDS = 5.0
"""How often everybody is told to compare, whatever was heard: who saved something may have died before it was told. Of
what is watched here, which is all that is compared, hundreds are one short question."""
_CHANNEL = "limina"
_JOB_CHANNEL = "limina_jobs"
_MAX_ENTRIES = 150
"""Matches in one payload. It has at most 8,000 bytes, and an id at most 32."""
_MOST_WAITING = 10_000
_AGAIN_SECONDS = 1.0
_GATHER_SECONDS = 0.05
"""What comes so soon after something was told is told together: every process has to read every word."""
_SECONDS = 10.0
_LOG = logging.getLogger("limina.server")


class PostgresBus(LocalBus):
    """One connection that listens, and tells others on the same one."""

    lock = "pg_try_advisory_lock_shared"
    gather_after = 1
    """Each process has fewer parts at a time, and every commit is news for all others: two are many."""
    gather_seconds = 0.02
    alone = False

    def __init__(self) -> None:
        self._waiting: dict[str, int] = {}
        self._pools: set[str] = set()
        self._wake = asyncio.Event()
        self._listening = asyncio.Event()

    async def listen(self, engine: AsyncEngine, heard: Heard, heard_jobs: HeardJobs) -> None:
        """Begin to hear of others; ready when this returns."""
        self._task = asyncio.create_task(self._stay(engine, heard, heard_jobs))
        waiting = asyncio.create_task(self._listening.wait())
        await asyncio.wait([waiting], timeout=_SECONDS)
        waiting.cancel()

    def publish(self, versions: Mapping[str, int]) -> None:
        """Let others know which versions matches have now; never waits."""
        if len(self._waiting) < _MOST_WAITING:  # else they find out when they compare
            self._waiting.update(versions)
        self._wake.set()

    def publish_jobs(self, pools: Collection[str]) -> None:
        """Let others know that there are jobs in these pools; never waits."""
        self._pools.update(pools)
        self._wake.set()

    async def version(self, match_id: str, known: int, ask: Callable[[str], Awaitable[int | None]]) -> int | None:
        """Look the version up: another process may have added events."""
        return await ask(match_id)

    def is_compared(self, watched: bool) -> bool:
        """Return whether the match is watched: others are looked up before each use."""
        return watched

    async def open_jobs(self, jobs: JobTable) -> None:
        """Do nothing: a job of a dead process is due again when its lease ends."""

    async def _stay(self, engine: AsyncEngine, heard: Heard, heard_jobs: HeardJobs) -> None:
        """Listen, and connect again whenever the connection is lost."""
        while True:
            try:
                await self._connected(engine, heard, heard_jobs)
            except Exception as error:  # of the database, its driver or the network
                _LOG.warning("other servers cannot be heard just now: %s", type(error).__name__)
            await asyncio.sleep(_AGAIN_SECONDS)

    async def _connected(self, engine: AsyncEngine, heard: Heard, heard_jobs: HeardJobs) -> None:
        async with asyncio.timeout(_SECONDS):
            connection = await engine.connect()
        try:
            driver: Any = await driver_of(connection)
            own = driver.get_server_pid()

            def received(_: object, sender: int, channel: str, payload: str) -> None:
                if sender == own:
                    return
                if channel == _JOB_CHANNEL:
                    heard_jobs(payload.split(","))
                else:
                    heard(_read(payload))

            async with asyncio.timeout(_SECONDS):
                await driver.add_listener(_CHANNEL, received)
                await driver.add_listener(_JOB_CHANNEL, received)
            driver.add_termination_listener(lambda _: self._wake.set())
            heard(None)
            self._listening.set()
            compared = time.monotonic()
            while True:
                # Not by `wait_for`: that of Python 3.11 goes on if it is cancelled in the moment in which it is woken.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(max(0.0, compared + COMPARE_SECONDS - time.monotonic())):
                        await self._wake.wait()
                if time.monotonic() >= compared + COMPARE_SECONDS:
                    # A connection that is dead without knowing it is found out here.
                    await driver.fetchval("SELECT 1", timeout=_SECONDS)
                    heard(None)
                    compared = time.monotonic()
                self._wake.clear()
                pools, self._pools = self._pools, set()
                if pools:
                    await driver.execute(f"NOTIFY {_JOB_CHANNEL}, '{','.join(pools)}'", timeout=_SECONDS)
                versions, self._waiting = self._waiting, {}
                for payload in _written(versions):
                    # Without parameters, so that nothing has to be prepared; there are no quotes in it.
                    await driver.execute(f"NOTIFY {_CHANNEL}, '{payload}'", timeout=_SECONDS)
                if versions:
                    await asyncio.sleep(_GATHER_SECONDS)
                if driver.is_closed():
                    raise ConnectionError("the connection was lost")
        finally:
            with contextlib.suppress(SQLAlchemyError, OSError):
                await connection.invalidate()
                await connection.close()


def _written(versions: Mapping[str, int]) -> Iterator[str]:
    """As few payloads as they fit into. What could not be the name of a match is left out.

    >>> list(_written({"one": 3, "two": 4, "it's": 5}))
    ['one:3,two:4']
    """
    entries = [f"{match}:{version}" for match, version in versions.items() if "'" not in match]
    for start in range(0, len(entries), _MAX_ENTRIES):
        yield ",".join(entries[start : start + _MAX_ENTRIES])


def _read(payload: str) -> dict[str, int]:
    """What a payload says; nothing, if it is none of ours.

    >>> _read("one:3,two:4"), _read("nonsense")
    ({'one': 3, 'two': 4}, {})
    """
    try:
        return {match: int(version) for match, version in [part.split(":") for part in payload.split(",")]}
    except ValueError:
        return {}
