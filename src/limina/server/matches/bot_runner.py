"""Bots in their seats: they think beside the event loop and see what their seat may see.

Those that answer at once, those that think and those of the host have a lane each, so that nobody's masters keep
another's novice waiting; within a lane, `limina.server.jobs` says who is next.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from limina._kernel import Stop
from limina.bots import Bot, BotFailure, Budget, Choice, ask, bot, bot_milliseconds, bot_names
from limina.protocols import Game
from limina.record import Record
from limina.server.errors import RefusedError
from limina.server.jobs import CURRENT_CLIENT, Job, Jobs, LaneSize, LocalJobs
from limina.server.matches import hosted_bots
from limina.server.matches.hosted_bots import HostedBots
from limina.server.matches.loaded_match import LoadedMatch
from limina.server.matches.match import Match
from limina.server.matches.visibility import record

_QUICK_MILLISECONDS = 20.0
"""Bots that usually take no longer have a lane of their own."""
_THREADS = 2
"""For those that answer at once, and as many for those that think."""
_FULL = "many bots are thinking already: please try again in a moment"
LANES = {
    "quick bot": LaneSize(_THREADS, _THREADS, waiting=4000, waiting_of_one=400, sentence=_FULL),
    "bot": LaneSize(_THREADS, _THREADS, waiting=4000, waiting_of_one=400, sentence=_FULL),
    "hosted bot": LaneSize(hosted_bots.AT_ONCE, hosted_bots.AT_ONCE // 2, 4000, waiting_of_one=400, sentence=_FULL),
}


def shared_lanes(threads: int = _THREADS) -> dict[str, LaneSize]:
    """The same for jobs of a shared queue: a place is then held also while a match is read and a turn is saved, which
    takes longer than those think that answer at once."""
    quick = replace(LANES["quick bot"], at_once=4 * threads, at_once_of_one=4 * threads)
    return {**LANES, "quick bot": quick, "bot": replace(LANES["bot"], at_once=threads, at_once_of_one=threads)}


_FULL_SECONDS = 5.0
"""After which a turn that found its lane full tries again."""
_SECONDS = 60.0
"""What one of ours may take for a turn: many times what the strongest takes on a slow machine."""


class BotRunner:
    """Our bots and the host's, asked for a turn by the seat they sit on. Whatever goes wrong is a BotFailure."""

    def __init__(
        self,
        hosted: HostedBots | None = None,
        seconds: float = _SECONDS,
        jobs: LocalJobs | None = None,
        threads: int = _THREADS,
    ) -> None:
        self.hosted = hosted or HostedBots()
        self._seconds = seconds
        self.busy = 0
        """How many turns are being thought about or wait for it."""
        self._jobs = jobs or LocalJobs(LANES)
        self._pools = {kind: ThreadPoolExecutor(threads, thread_name_prefix=kind) for kind in ("quick bot", "bot")}

    def names(self, game: Game) -> tuple[str, ...]:
        """All that may sit at a table of this game: ours, weakest first, then the host's."""
        return (*bot_names(game), *self.hosted.names(game))

    def check_room(self, match: Match, jobs: Jobs | None = None) -> None:
        """Refuse a match whose bots could not even wait for their turns, here or in a queue."""
        for seat, sitting in enumerate(match.seats):
            if sitting.kind == "bot":
                (jobs or self._jobs).check(self.job(match, seat))

    async def choose(self, loaded: LoadedMatch, seat: int) -> str:
        """The turn of the bot that sits there, checked; or BotFailure, and the bot has left."""
        self.busy += 1
        try:
            return await self._choose(loaded, seat)
        finally:
            self.busy -= 1

    async def choose_now(self, loaded: LoadedMatch, seat: int) -> str:
        """The same, where its turn to think has come already."""
        self.busy += 1
        try:
            return await self._think(loaded, seat, self.job(loaded.match, seat).kind)
        finally:
            self.busy -= 1

    async def _choose(self, loaded: LoadedMatch, seat: int) -> str:
        job = self.job(loaded.match, seat, lambda: bool(loaded.subscribers))
        while True:
            try:
                thinking = self._jobs.submit(job, lambda: self._think(loaded, seat, job.kind))
            except RefusedError:
                await asyncio.sleep(_FULL_SECONDS)
            else:
                return await thinking

    def job(self, match: Match, seat: int, watched: Callable[[], bool] = bool) -> Job:
        """The turn of the bot that sits there, as a job: known by the bot, by how many turns it has played, and by how
        often one was taken back."""
        level = match.seats[seat].bot or ""
        # In the name of whoever's request led to this turn; where nobody's did, each match is for itself.
        client = CURRENT_CLIENT.get() or match.id
        if level in bot_names(match.game):
            cost = bot_milliseconds(match.game, level)
            kind = "quick bot" if cost <= _QUICK_MILLISECONDS else "bot"
        else:
            kind, cost = "hosted bot", 1000.0
        taken_back, turns, _ = match.moment(seat)
        key = f"{match.id} {seat} {turns}.{taken_back} {level}"
        seen = str(match.version).encode()  # whoever does it need not ask how far the match is at least
        return Job(kind, key, client, cost, watched, data=seen)

    async def _think(self, loaded: LoadedMatch, seat: int, kind: str) -> str:
        match = loaded.match
        if kind == "hosted bot":
            return await self.hosted.choose(match, seat)
        try:
            player = loaded.bots.get(seat) or _seated(loaded, seat, match.seats[seat].bot or "")
            return str((await self._ask(player, record(match, (seat,)), seat, kind)).turn)
        except BotFailure:
            loaded.bots.pop(seat, None)
            raise

    async def _ask(self, player: Bot, seen: Record, seat: int, kind: str) -> Choice:
        loop, begun, bell = asyncio.get_running_loop(), asyncio.Event(), Stop()
        budget = Budget(seconds=self._seconds, stop=bell)

        def think() -> Choice:
            loop.call_soon_threadsafe(begun.set)
            return ask(player, seen, seat, budget)

        thinking = loop.run_in_executor(self._pools[kind], think)
        try:
            await begun.wait()  # the time that it waits for others is not its own
            await asyncio.wait([thinking], timeout=self._seconds)
            if thinking.done():
                return thinking.result()
            raise BotFailure(f"it took longer than {self._seconds:g} s", "late")
        finally:
            if not thinking.done():  # nobody wants to know any more: it ends where it can, so that others get a turn
                thinking.add_done_callback(lambda late: late.cancelled() or late.exception())
                bell.set()

    def leave(self, loaded: LoadedMatch) -> None:
        """The match is over: its bots go."""
        for player in loaded.bots.values():
            player.close()
        loaded.bots.clear()
        self.hosted.leave(loaded.match)

    async def stop(self) -> None:
        """Think no more."""
        await self.hosted.stop()
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)


def _seated(loaded: LoadedMatch, seat: int, level: str) -> Bot:
    try:
        loaded.bots[seat] = bot(loaded.match.game, level, seed=secrets.randbits(32))
    except Exception as error:
        raise BotFailure(f"it cannot be made: {type(error).__name__}") from error
    return loaded.bots[seat]
