"""Runs bots in threads. A bot sees only what its seat may see.

Fast built-in bots, slow built-in bots and hosted bots have a job pool each, so that slow bots do not delay fast ones.
"""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor

from limina._kernel import CancelToken
from limina.bots import Bot, BotError, Budget, Choice, bot, bot_names, choose_checked, typical_bot_milliseconds
from limina.core.game import Game
from limina.core.record import Record
from limina.server.jobs import PoolLimits
from limina.server.matches import hosted_bots
from limina.server.matches.hosted_bots import HostedBots
from limina.server.matches.loaded_match import LoadedMatch
from limina.server.matches.visibility import record

_QUICK_MILLISECONDS = 20
"""Bots that usually take no longer for a turn use the pool `quick_bots`."""
_HOSTED_MILLISECONDS = 1000
"""Expected time of a hosted bot for a turn."""
_THREADS = 2
"""Threads for fast built-in bots, and again as many for slow ones."""
_FULL_MESSAGE = "many bots are thinking already: please try again in a moment"
_TIMEOUT_SECONDS = 60.0
"""Maximum time of a built-in bot for a turn: many times what the strongest takes on a slow machine."""


def bot_pools(threads: int = _THREADS) -> dict[str, PoolLimits]:
    """Return the limits of the job pools of bots, for so many threads.

    The job of a fast bot spends most of its time on loading the match and saving the turn, so there are more jobs than
    threads.
    """

    def limits(running: int, per_client: int) -> PoolLimits:
        return PoolLimits(running, per_client, max_waiting=4000, max_waiting_per_client=400, message=_FULL_MESSAGE)

    return {
        "quick_bots": limits(4 * threads, 4 * threads),
        "bots": limits(threads, threads),
        "hosted_bots": limits(hosted_bots.MAX_CONCURRENT_TURNS, hosted_bots.MAX_CONCURRENT_TURNS // 2),
        "requeue": limits(2, 2),  # a pool of its own: after a migration there may be many of these jobs
    }


class BotRunner:
    """Lets built-in and hosted bots choose turns. Every failure is raised as BotError."""

    def __init__(
        self, hosted: HostedBots | None = None, seconds: float = _TIMEOUT_SECONDS, threads: int = _THREADS
    ) -> None:
        self.hosted = hosted or HostedBots()
        self._seconds = seconds
        self.running = 0
        """The number of bots that choose a turn."""
        self._threads = {pool: ThreadPoolExecutor(threads, thread_name_prefix=pool) for pool in ("quick_bots", "bots")}

    def names(self, game: Game) -> tuple[str, ...]:
        """Return the bots of a game: the built-in ones, weakest first, then the hosted ones."""
        return (*bot_names(game), *self.hosted.names(game))

    def pool_and_cost(self, game: Game, level: str) -> tuple[str, int]:
        """Return the job pool of a bot and the milliseconds that its turn usually takes."""
        if level not in bot_names(game):
            return "hosted_bots", _HOSTED_MILLISECONDS
        cost = typical_bot_milliseconds(game, level)
        return ("quick_bots" if cost <= _QUICK_MILLISECONDS else "bots"), round(cost)

    async def choose(self, loaded: LoadedMatch, seat_index: int) -> str:
        """Return a legal turn of the bot of a seat; close the bot and raise BotError if it fails."""
        self.running += 1
        try:
            return await self._choose(loaded, seat_index)
        finally:
            self.running -= 1

    async def _choose(self, loaded: LoadedMatch, seat_index: int) -> str:
        match = loaded.match
        level = match.seats[seat_index].bot or ""
        pool, _ = self.pool_and_cost(match.game, level)
        if pool == "hosted_bots":
            return await self.hosted.choose(match, seat_index)
        try:
            player = loaded.bots.get(seat_index) or _make_bot(loaded, seat_index, level)
            return str((await self._choose_in_thread(player, record(match, (seat_index,)), seat_index, pool)).turn)
        except (BotError, asyncio.CancelledError):  # after a cancellation it may still run in its thread
            loaded.bots.pop(seat_index, None)
            raise

    async def _choose_in_thread(self, player: Bot, visible: Record, seat_index: int, pool: str) -> Choice:
        loop, started, cancel_token = asyncio.get_running_loop(), asyncio.Event(), CancelToken()
        budget = Budget(seconds=self._seconds, cancel_token=cancel_token)

        def run() -> Choice:
            loop.call_soon_threadsafe(started.set)
            return choose_checked(player, visible, seat_index, budget)

        choice = loop.run_in_executor(self._threads[pool], run)
        try:
            await started.wait()  # the time in the queue does not count
            await asyncio.wait([choice], timeout=self._seconds)
            if choice.done():
                return choice.result()
            raise BotError(f"it took longer than {self._seconds:g} s", "timeout")
        finally:
            if not choice.done():  # obsolete: stop the search, so that other bots get the thread
                choice.add_done_callback(lambda done: done.cancelled() or done.exception())
                cancel_token.cancel()

    def release(self, loaded: LoadedMatch) -> None:
        """Close the bots of a match that is over."""
        for player in loaded.bots.values():
            player.close()
        loaded.bots.clear()
        self.hosted.release(loaded.match)

    async def stop(self) -> None:
        """Stop all bots and threads."""
        await self.hosted.stop()
        for threads in self._threads.values():
            threads.shutdown(wait=False, cancel_futures=True)


def _make_bot(loaded: LoadedMatch, seat_index: int, level: str) -> Bot:
    try:
        loaded.bots[seat_index] = bot(loaded.match.game, level, seed=secrets.randbits(32))
    except Exception as error:
        raise BotError(f"it cannot be created: {type(error).__name__}") from error
    return loaded.bots[seat_index]
