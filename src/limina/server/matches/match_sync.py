"""Brings matches in memory up to what other processes have added to them, and forgets those that were removed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any, TypeVar

from limina.server.errors import UnavailableError
from limina.server.matches.loaded_match import LoadedMatch
from limina.server.storage import Store

_Result = TypeVar("_Result")
_AT_ONCE = 500
_GATHER_SECONDS = 0.02
"""Whoever asks for a version so soon after others shares the next question with whoever else does."""


class MatchSync:
    """Reads what is new, for matches that somebody watches or is about to use."""

    def __init__(
        self,
        store: Store,
        matches: Mapping[str, LoadedMatch],
        on_over: Callable[[LoadedMatch], None],
    ) -> None:
        self._store = store
        self._matches = matches
        self._on_over = on_over
        """Called with every match that another process has brought to its end."""
        self._behind: set[str] = set()
        self._compare = False
        self._following: asyncio.Task[None] | None = None
        self._lookup: asyncio.Task[dict[str, int]]
        self._looked_up: set[str] = set()
        """The matches of the lookup that has not begun yet."""
        self._lookup_lock = asyncio.Lock()
        self._next_lookup_at = 0.0
        self._tasks: set[asyncio.Task[Any]] = set()
        store.listeners.append(self._heard)

    async def close(self) -> None:
        """Follow no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def refresh(self, loaded: LoadedMatch, version: int | None = None) -> None:
        """Bring a match up to what is stored now, or to a version that is known to be."""
        if version is None:
            version = await self._store.bus.version(loaded.match.id, loaded.match.version, self._version)
        if version is None:
            loaded.invalidate()
        elif version > loaded.match.version:
            await self.catch_up([loaded])

    async def _version(self, match: str) -> int | None:
        """The version that is stored now, if any is. Whoever asks while another waits shares the next question."""
        if not self._looked_up:
            self._lookup = self._start(self._look_up())
        self._looked_up.add(match)
        return (await asyncio.shield(self._lookup)).get(match)

    async def _look_up(self) -> dict[str, int]:
        loop = asyncio.get_running_loop()
        async with self._lookup_lock:
            await asyncio.sleep(max(0.0, self._next_lookup_at - loop.time()))
            self._next_lookup_at = loop.time() + _GATHER_SECONDS
            asked, self._looked_up = self._looked_up, set()
            return await self._store.versions(asked)

    def _start(self, work: Coroutine[Any, Any, _Result]) -> asyncio.Task[_Result]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def catch_up(self, matches: Iterable[LoadedMatch]) -> None:
        """Read what is new in matches, and publish it."""
        known = {loaded.match.id: loaded for loaded in matches}
        news = await self._store.news({match_id: loaded.match.version for match_id, loaded in known.items()})
        for match_id, events in news.items():
            known[match_id].apply_events(events)
            if events and known[match_id].match.is_over:
                self._on_over(known[match_id])

    def _heard(self, versions: Mapping[str, int] | None) -> None:
        if versions is None:
            self._compare = True
        else:
            for each in versions.keys() & self._matches.keys():
                loaded = self._matches[each]
                # Whoever asks for one that nobody watches has it refreshed first.
                if loaded.subscribers and loaded.match.version < versions[each]:
                    self._behind.add(each)
        self._begin()

    def _begin(self) -> None:
        if (self._compare or self._behind) and (self._following is None or self._following.done()):
            self._following = self._start(self._follow())

    async def _follow(self) -> None:
        try:
            while self._compare or self._behind:
                if self._compare:
                    self._compare = False
                    await self._find_behind()
                some = [self._behind.pop() for _ in range(min(_AT_ONCE, len(self._behind)))]
                await self.catch_up(self._matches[each] for each in some if each in self._matches)
        except UnavailableError:  # we are told to compare again when the database is back
            self._behind.clear()

    async def _find_behind(self) -> None:
        is_compared = self._store.bus.is_compared
        known = [loaded for loaded in self._matches.values() if is_compared(bool(loaded.subscribers))]
        for place in range(0, len(known), _AT_ONCE):
            some = known[place : place + _AT_ONCE]
            versions = await self._store.versions(loaded.match.id for loaded in some)
            for loaded in some:
                match = loaded.match
                if match.id not in versions:
                    loaded.invalidate()
                elif versions[match.id] > match.version:
                    self._behind.add(match.id)
