"""Bots' turns as jobs of a queue that several processes share.

Whoever appends what makes it a bot's turn adds the job; whoever takes it loads the match, lets the bot think if it is
still to move, and appends its turn. Nothing has to come back: the log tells. A job that was lost is found again: soon
where somebody watches, by the process that they watch it at, and else by whichever process looks through all matches.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable
from contextvars import ContextVar
from typing import Protocol

from limina.server.errors import RefusedError, UnavailableError
from limina.server.jobs import CURRENT_CLIENT, Job, JobQueue
from limina.server.matches.bot_runner import LANES, BotRunner
from limina.server.matches.loaded_match import LoadedMatch
from limina.server.storage import Store

SWEEP_SECONDS = 30.0
"""How often a process looks for bots that wait and that nobody has heard of."""
LOST_SECONDS = 10.0
"""A bot that is to move for longer, and of which the queue knows nothing, is one of them."""
_MOST_LOST = 200
_SOON_SECONDS = 0.25
"""After which those who watch a match see to it that the turn of a bot in it counts as watched."""
_AGAIN_SECONDS = 3.0
"""After which they look again whether it is in the queue at all."""
_WORKING: ContextVar[bool] = ContextVar("working", default=False)
"""Whether what happens follows from a job and not from a request."""
_LOG = logging.getLogger("limina.server")


class Matches(Protocol):
    """Where matches are had and bots play."""

    async def look_up(self, match: str, version: int | None = None) -> LoadedMatch:
        """A match as it is stored now, or at least at a version."""
        ...

    async def catch_up(self, matches: Iterable[LoadedMatch]) -> None:
        """Read what is new in matches."""
        ...

    async def play_bot(self, loaded: LoadedMatch, seat: int) -> None:
        """Let a bot play that is to move."""
        ...


class BotJobs:
    """The bots' turns of all matches, as far as this process has to do with them."""

    def __init__(self, matches: Matches, store: Store, bots: BotRunner, queue: JobQueue) -> None:
        self._matches = matches
        self._store = store
        self._bots = bots
        self._queue = queue
        self._watched: dict[LoadedMatch, float] = {}
        """Matches that somebody watches and in which a bot is to move, and when to look at them again."""
        self._some = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to look for what is lost."""
        self._tasks = [asyncio.create_task(each) for each in (self._look_after_watched(), self._sweep())]

    async def close(self) -> None:
        """Look no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- into the queue

    def ask(self, loaded: LoadedMatch, *, again: bool = False) -> None:
        """Have every bot play that is to move. What was asked before is asked again only if somebody watches now."""
        match = loaded.match
        watched = bool(loaded.subscribers) or (bool(CURRENT_CLIENT.get()) and not _WORKING.get())
        if not _bots_to_move(loaded):
            return
        for seat in match.to_move:
            if match.seats[seat].kind != "bot":
                continue
            job = self._bots.job(match, seat, lambda: watched)
            key, known = loaded.asked.get(seat, ("", False))
            if again or key != job.key or watched > known:
                loaded.asked[seat] = job.key, watched
                try:
                    self._queue.add(job, unless_there=again)
                except RefusedError:  # too many wait: it is found again like one that is lost
                    del loaded.asked[seat]
        if watched:
            self._watched.setdefault(loaded, _time() + _AGAIN_SECONDS)
            self._some.set()

    def look_after(self, loaded: LoadedMatch) -> None:
        """A match has gone on elsewhere: if somebody watches it here, see to it that its bots have their turns."""
        if loaded.subscribers and _bots_to_move(loaded):
            self._watched[loaded] = _time() + _SOON_SECONDS
            self._some.set()

    # --- out of the queue

    def kinds(self) -> list[str]:
        """The kinds of jobs that can be done here: bots of the host only where there are some."""
        return [kind for kind in LANES if kind != "hosted bot" or self._bots.hosted.some]

    async def do(self, job: Job) -> None:
        """Let a bot play, unless it has already."""
        CURRENT_CLIENT.set(job.client)
        _WORKING.set(True)
        match_id, seat = job.key.split(" ")[:2]
        try:
            # Should it have gone on since, the turn is lost when it is saved, and then it is read again.
            loaded = await self._matches.look_up(match_id, int(job.data or 0) or None)
        except RefusedError:  # it is gone, or damaged
            return
        if int(seat) in loaded.match.to_move and self._bots.job(loaded.match, int(seat)).key == job.key:
            await self._matches.play_bot(loaded, int(seat))

    # --- what is lost

    async def _look_after_watched(self) -> None:
        while True:
            await self._some.wait()
            await asyncio.sleep(_SOON_SECONDS)
            due: list[LoadedMatch] = []
            for loaded, when in list(self._watched.items()):
                if not _bots_to_move(loaded):
                    del self._watched[loaded]
                elif when <= _time():
                    if loaded.subscribers:
                        self._watched[loaded] = _time() + _AGAIN_SECONDS
                        due.append(loaded)
                    else:
                        del self._watched[loaded]
            if not self._watched:
                self._some.clear()
            with contextlib.suppress(UnavailableError):  # the next look is soon
                await self._see_to(due)

    async def _see_to(self, matches: list[LoadedMatch]) -> None:
        """Perhaps they have gone on and nobody has told; perhaps nobody was told that a bot is to move."""
        if not matches:
            return
        versions = await self._store.versions([loaded.match.id for loaded in matches])
        await self._matches.catch_up(
            [loaded for loaded in matches if versions.get(loaded.match.id, 0) > loaded.match.version]
        )
        for loaded in matches:
            self.ask(loaded, again=True)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self.find_lost()
            except Exception as error:  # of the database, its driver or the network
                _LOG.warning("it could not be looked for bots that wait: %s", type(error).__name__)

    async def find_lost(self) -> None:
        """Ask for all bots that are to move and of which the queue knows nothing."""
        for match_id in await self._queue.lost(LOST_SECONDS, _MOST_LOST):
            with contextlib.suppress(RefusedError):  # damaged
                self.ask(await self._matches.look_up(match_id), again=True)


def _bots_to_move(loaded: LoadedMatch) -> bool:
    match = loaded.match
    return not loaded.invalidated and any(match.seats[seat].kind == "bot" for seat in match.to_move)


def _time() -> float:
    return asyncio.get_running_loop().time()
