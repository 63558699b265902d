"""Brings matches in memory up to what other processes have added to them, and forgets those that were removed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping

from limina.server.errors import UnavailableError
from limina.server.matches.loaded_match import LoadedMatch
from limina.server.storage import Store

_AT_ONCE = 500
_MOST_LATEST = 1000
_GATHER_SECONDS = 0.02
"""Whoever asks for a version so soon after others shares the next question with whoever else does."""


class Follower:
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
        self._latest: dict[str, int] = {}
        """The versions that were heard of last."""
        self._earlier: dict[str, int] = {}
        """And before."""
        self._compare = False
        self._task: asyncio.Task[None] | None = None
        self._asked: dict[str, asyncio.Future[int | None]] = {}
        self._asking: asyncio.Task[None] | None = None
        store.listen(self._heard)

    async def close(self) -> None:
        """Follow no more."""
        tasks = [task for task in (self._task, self._asking) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for waiting in self._asked.values():
            waiting.cancel()

    async def refresh(self, loaded: LoadedMatch, version: int | None = None) -> None:
        """Bring a match up to what is stored now, or to a version that is known to be."""
        if version is None:
            version = await self._store.access.version(loaded.match.id, loaded.match.version, self._version)
        if version is None:
            loaded.invalidate()
        elif version > loaded.match.version:
            await self.catch_up([loaded])

    async def _version(self, match: str) -> int | None:
        """The version that is stored now, if any is. Whoever asks while another waits shares the next question."""
        asked = self._asked.get(match)
        if asked is None:
            asked = self._asked[match] = asyncio.get_running_loop().create_future()
            if self._asking is None or self._asking.done():
                self._asking = asyncio.create_task(self._ask())
        return await asyncio.shield(asked)

    async def _ask(self) -> None:
        while self._asked:
            asked, self._asked = self._asked, {}
            try:
                versions = await self._store.access.versions(asked)
            except Exception as error:
                for waiting in asked.values():
                    waiting.set_exception(error)
                    waiting.exception()  # whoever waited may be gone
            else:
                for match, waiting in asked.items():
                    waiting.set_result(versions.get(match))
            finally:
                for waiting in asked.values():
                    waiting.cancel()  # where there was no answer
            await asyncio.sleep(_GATHER_SECONDS)

    async def catch_up(self, matches: Iterable[LoadedMatch]) -> None:
        """Read what is new in matches, and publish it."""
        known = {loaded.match.id: loaded for loaded in matches}
        news = await self._store.news({match_id: loaded.match.version for match_id, loaded in known.items()})
        for match_id, events in news.items():
            known[match_id].apply_events(events)
            if events and known[match_id].match.over:
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
            self._latest.update(versions)
            if len(self._latest) > _MOST_LATEST:
                self._earlier, self._latest = self._latest, {}
        self._begin()

    def watch(self, loaded: LoadedMatch) -> None:
        """Follow a match that has got a subscriber, from the version that was heard of last."""
        match = loaded.match
        if max(self._latest.get(match.id, 0), self._earlier.get(match.id, 0)) > match.version:
            self._behind.add(match.id)
            self._begin()

    def _begin(self) -> None:
        if (self._compare or self._behind) and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._follow())

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
        is_compared = self._store.access.is_compared
        known = [loaded for loaded in self._matches.values() if is_compared(bool(loaded.subscribers))]
        for place in range(0, len(known), _AT_ONCE):
            some = known[place : place + _AT_ONCE]
            versions = await self._store.access.versions(loaded.match.id for loaded in some)
            for loaded in some:
                match = loaded.match
                if match.id not in versions:
                    loaded.invalidate()
                elif versions[match.id] > match.version:
                    self._behind.add(match.id)
