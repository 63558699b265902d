"""Synchronization of matches in memory with the database, to which other processes may have added events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any, TypeVar

from limina.server.errors import UnavailableError
from limina.server.matches.loaded_match import LoadedMatch
from limina.server.storage import Store

_Result = TypeVar("_Result")
_BATCH_SIZE = 500
"""Maximum number of matches that are compared or read at a time."""
_LOOKUP_INTERVAL_SECONDS = 0.02
"""Minimum time between two lookups of versions. Requests of this time share the next one."""


class MatchSync:
    """Reads new events of matches that have subscribers, and of matches before they are used."""

    def __init__(
        self,
        store: Store,
        matches: Mapping[str, LoadedMatch],
        on_over: Callable[[LoadedMatch], None],
    ) -> None:
        self._store = store
        self._matches = matches
        self._on_over = on_over
        """Called with every match whose game another process has ended."""
        self._outdated: set[str] = set()
        self._compare = False
        self._sync_task: asyncio.Task[None] | None = None
        self._lookup: asyncio.Task[dict[str, int]]
        self._lookup_ids: set[str] = set()
        """The match ids of the next lookup."""
        self._lookup_lock = asyncio.Lock()
        self._next_lookup_at = 0.0
        self._tasks: set[asyncio.Task[Any]] = set()
        store.version_listeners.append(self._on_versions)

    async def close(self) -> None:
        """Cancel all tasks and wait until they have ended."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def refresh(self, loaded: LoadedMatch, version: int | None = None) -> None:
        """Read new events up to the stored version, or up to `version` if the caller knows that it is stored.

        Invalidate the match if it was removed.
        """
        if version is None:
            version = await self._store.bus.stored_version(loaded.match.id, loaded.match.version, self._look_up_version)
        if version is None:
            loaded.invalidate()
        elif version > loaded.match.version:
            await self.catch_up([loaded])

    async def _look_up_version(self, match_id: str) -> int | None:
        """Return the stored version of a match, None if there is none. Concurrent calls share one query."""
        if not self._lookup_ids:
            self._lookup = self._start(self._look_up_versions())
        self._lookup_ids.add(match_id)
        return (await asyncio.shield(self._lookup)).get(match_id)

    async def _look_up_versions(self) -> dict[str, int]:
        loop = asyncio.get_running_loop()
        async with self._lookup_lock:
            await asyncio.sleep(max(0.0, self._next_lookup_at - loop.time()))
            self._next_lookup_at = loop.time() + _LOOKUP_INTERVAL_SECONDS
            match_ids, self._lookup_ids = self._lookup_ids, set()
            return await self._store.versions(match_ids)

    def _start(self, work: Coroutine[Any, Any, _Result]) -> asyncio.Task[_Result]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def catch_up(self, matches: Iterable[LoadedMatch]) -> None:
        """Read and publish the new events of matches."""
        by_id = {loaded.match.id: loaded for loaded in matches}
        versions = {match_id: loaded.match.version for match_id, loaded in by_id.items()}
        for match_id, events in (await self._store.events_since(versions)).items():
            loaded = by_id[match_id]
            loaded.apply_events(events)
            if events and loaded.match.is_over:
                self._on_over(loaded)

    def _on_versions(self, versions: Mapping[str, int] | None) -> None:
        if versions is None:
            self._compare = True
        else:
            for match_id in versions.keys() & self._matches.keys():
                loaded = self._matches[match_id]
                # Matches without subscribers are refreshed before their next use.
                if loaded.subscribers and loaded.match.version < versions[match_id]:
                    self._outdated.add(match_id)
        self._start_sync()

    def _start_sync(self) -> None:
        if (self._compare or self._outdated) and (self._sync_task is None or self._sync_task.done()):
            self._sync_task = self._start(self._sync())

    async def _sync(self) -> None:
        try:
            while self._compare or self._outdated:
                if self._compare:
                    self._compare = False
                    await self._find_outdated()
                batch = [self._outdated.pop() for _ in range(min(_BATCH_SIZE, len(self._outdated)))]
                await self.catch_up(self._matches[match_id] for match_id in batch if match_id in self._matches)
        except UnavailableError:  # the bus asks for a comparison when the database is back
            self._outdated.clear()

    async def _find_outdated(self) -> None:
        is_compared = self._store.bus.is_compared
        compared = [loaded for loaded in self._matches.values() if is_compared(bool(loaded.subscribers))]
        for start in range(0, len(compared), _BATCH_SIZE):
            batch = compared[start : start + _BATCH_SIZE]
            versions = await self._store.versions(loaded.match.id for loaded in batch)
            for loaded in batch:
                match = loaded.match
                if match.id not in versions:
                    loaded.invalidate()
                elif versions[match.id] > match.version:
                    self._outdated.add(match.id)
