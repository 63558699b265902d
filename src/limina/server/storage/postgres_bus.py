"""The bus of PostgreSQL: LISTEN and NOTIFY on a connection of its own.

NOTIFY is sent after the commit. In the transaction, it would hold a lock of the whole database until the disk has
written.
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

from limina.server.storage.bus import JobListener, LocalBus, VersionListener
from limina.server.storage.jobs import JobTable
from limina.server.storage.postgres import driver_of

COMPARE_SECONDS = 5.0
"""Seconds between two comparisons of versions. They find events of a process that died before it sent its NOTIFY. Only
matches with subscribers are compared: hundreds of them are one short query."""
_CHANNEL = "limina"
_JOB_CHANNEL = "limina_jobs"
_MAX_MATCHES_PER_PAYLOAD = 150
"""PostgreSQL limits a payload to 8,000 bytes, and an id has at most 32."""
_MAX_PENDING_VERSIONS = 10_000
"""Bounds the memory while the connection is lost."""
_RECONNECT_SECONDS = 1.0
_GATHER_SECONDS = 0.05
"""Pause after a NOTIFY. Versions of this time share the next one, because every process receives every NOTIFY."""
_TIMEOUT_SECONDS = 10.0
"""Bounds the connection, and each statement on it."""
_LOG = logging.getLogger("limina.server")


class PostgresBus(LocalBus):
    """Listens and notifies on one connection, and connects again when it is lost."""

    lock_function = "pg_try_advisory_lock_shared"
    gather_after = 1
    """Lower than for one process: each has fewer items at a time, and all others hear of every commit."""
    gather_seconds = 0.02
    single_process = False

    def __init__(self) -> None:
        self._pending_versions: dict[str, int] = {}
        self._pools: set[str] = set()
        self._wake = asyncio.Event()
        self._listening = asyncio.Event()

    async def listen(self, engine: AsyncEngine, on_versions: VersionListener, on_jobs: JobListener) -> None:
        """Start to listen; return when the connection listens, or after a timeout."""
        self._task = asyncio.create_task(self._listen_forever(engine, on_versions, on_jobs))
        waiting = asyncio.create_task(self._listening.wait())
        await asyncio.wait([waiting], timeout=_TIMEOUT_SECONDS)
        waiting.cancel()

    def publish(self, versions: Mapping[str, int]) -> None:
        """Send the new versions of matches to other processes, without waiting."""
        if len(self._pending_versions) < _MAX_PENDING_VERSIONS:  # otherwise they are found by the comparison
            self._pending_versions.update(versions)
        self._wake.set()

    def publish_jobs(self, pools: Collection[str]) -> None:
        """Tell other processes that there are new jobs in these pools, without waiting."""
        self._pools.update(pools)
        self._wake.set()

    async def stored_version(
        self, match_id: str, known: int, look_up: Callable[[str], Awaitable[int | None]]
    ) -> int | None:
        """Look the version up, because another process may have added events."""
        return await look_up(match_id)

    def is_compared(self, has_subscribers: bool) -> bool:
        """Return True for a match with subscribers. Other matches are looked up before each use."""
        return has_subscribers

    async def release_jobs_of_previous_process(self, jobs: JobTable) -> None:
        """Do nothing: a job of a dead process is due again when its lease ends."""

    async def _listen_forever(self, engine: AsyncEngine, on_versions: VersionListener, on_jobs: JobListener) -> None:
        while True:
            try:
                await self._listen(engine, on_versions, on_jobs)
            except Exception as error:  # of the database, its driver or the network
                _LOG.warning(
                    "postgres LISTEN connection failed (%s), retrying in %g s", type(error).__name__, _RECONNECT_SECONDS
                )
            await asyncio.sleep(_RECONNECT_SECONDS)

    async def _listen(self, engine: AsyncEngine, on_versions: VersionListener, on_jobs: JobListener) -> None:
        """Connect, listen and notify until the connection is lost."""
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            connection = await engine.connect()
        try:
            driver: Any = await driver_of(connection)
            own_pid = driver.get_server_pid()

            def receive(_: object, sender_pid: int, channel: str, payload: str) -> None:
                if sender_pid == own_pid:
                    return
                if channel == _JOB_CHANNEL:
                    on_jobs(payload.split(","))
                else:
                    on_versions(_parse_payload(payload))

            async with asyncio.timeout(_TIMEOUT_SECONDS):
                await driver.add_listener(_CHANNEL, receive)
                await driver.add_listener(_JOB_CHANNEL, receive)
            driver.add_termination_listener(lambda _: self._wake.set())
            on_versions(None)
            self._listening.set()
            compared_at = time.monotonic()
            while True:
                # Not `wait_for`: in Python 3.11 it ignores a cancellation at the moment in which the event is set.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(max(0.0, compared_at + COMPARE_SECONDS - time.monotonic())):
                        await self._wake.wait()
                if time.monotonic() >= compared_at + COMPARE_SECONDS:
                    # Detects a connection that is dead without a TCP reset.
                    await driver.fetchval("SELECT 1", timeout=_TIMEOUT_SECONDS)
                    on_versions(None)
                    compared_at = time.monotonic()
                self._wake.clear()
                pools, self._pools = self._pools, set()
                if pools:
                    await driver.execute(f"NOTIFY {_JOB_CHANNEL}, '{','.join(pools)}'", timeout=_TIMEOUT_SECONDS)
                versions, self._pending_versions = self._pending_versions, {}
                for payload in _payloads(versions):
                    # Without parameters, so that nothing has to be prepared. A payload contains no quotation mark.
                    await driver.execute(f"NOTIFY {_CHANNEL}, '{payload}'", timeout=_TIMEOUT_SECONDS)
                if versions:
                    await asyncio.sleep(_GATHER_SECONDS)
                if driver.is_closed():
                    raise ConnectionError("the connection was lost")
        finally:
            with contextlib.suppress(SQLAlchemyError, OSError):
                await connection.invalidate()
                await connection.close()


def _payloads(versions: Mapping[str, int]) -> Iterator[str]:
    """Yield as few payloads as possible. Ids with a quotation mark are left out: no match has one.

    >>> list(_payloads({"one": 3, "two": 4, "it's": 5}))
    ['one:3,two:4']
    """
    entries = [f"{match_id}:{version}" for match_id, version in versions.items() if "'" not in match_id]
    for start in range(0, len(entries), _MAX_MATCHES_PER_PAYLOAD):
        yield ",".join(entries[start : start + _MAX_MATCHES_PER_PAYLOAD])


def _parse_payload(payload: str) -> dict[str, int]:
    """Return the versions in a payload; an empty dict for a payload of another program.

    >>> _parse_payload("one:3,two:4"), _parse_payload("unknown")
    ({'one': 3, 'two': 4}, {})
    """
    try:
        return {match_id: int(version) for match_id, version in [entry.split(":") for entry in payload.split(",")]}
    except ValueError:
        return {}
