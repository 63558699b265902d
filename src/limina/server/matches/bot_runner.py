"""Bots in their seats: they think beside the event loop and see what their seat may see.

Bots that answer at once, bots that think and bots of the host have a job pool each, so that slow ones keep none of the
quick ones waiting.
"""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor

from limina._kernel import Stop
from limina.bots import Bot, BotError, Budget, Choice, bot, bot_names, choose_checked, typical_bot_milliseconds
from limina.core.game import Game
from limina.core.record import Record
from limina.server.jobs import PoolLimits
from limina.server.matches import hosted_bots
from limina.server.matches.hosted_bots import HostedBots
from limina.server.matches.loaded_match import LoadedMatch
from limina.server.matches.visibility import record

_QUICK_MILLISECONDS = 20
"""Bots that usually take no longer have a pool of their own."""
_HOSTED_MILLISECONDS = 1000
_THREADS = 2
"""For bots that answer at once, and as many for those that think."""
_FULL = "many bots are thinking already: please try again in a moment"
_TIMEOUT_SECONDS = 60.0
"""What one of our bots may take for a turn: many times what the strongest takes on a slow machine."""


def bot_pools(threads: int = _THREADS) -> dict[str, PoolLimits]:
    """Return the limits of the pools, with so many threads. A quick bot's job also holds its place while the match is
    loaded and the turn is saved, which takes longer than the bot thinks."""

    def limits(running: int, per_client: int) -> PoolLimits:
        return PoolLimits(running, per_client, max_waiting=4000, max_waiting_per_client=400, message=_FULL)

    return {
        "quick_bots": limits(4 * threads, 4 * threads),
        "bots": limits(threads, threads),
        "hosted_bots": limits(hosted_bots.AT_ONCE, hosted_bots.AT_ONCE // 2),
        "requeue": limits(2, 2),  # after a migration there may be many: they keep no bot waiting
    }


class BotRunner:
    """Our bots and the host's, asked for a turn by the seat they sit on. Whatever goes wrong is a BotError."""

    def __init__(
        self, hosted: HostedBots | None = None, seconds: float = _TIMEOUT_SECONDS, threads: int = _THREADS
    ) -> None:
        self.hosted = hosted or HostedBots()
        self._seconds = seconds
        self.running = 0
        """How many bots think."""
        self._threads = {pool: ThreadPoolExecutor(threads, thread_name_prefix=pool) for pool in ("quick_bots", "bots")}

    def names(self, game: Game) -> tuple[str, ...]:
        """All that may sit at a table of this game: ours, weakest first, then the host's."""
        return (*bot_names(game), *self.hosted.names(game))

    def pool_and_cost(self, game: Game, level: str) -> tuple[str, int]:
        """Return the job pool of a bot and the milliseconds that its turn usually takes."""
        if level not in bot_names(game):
            return "hosted_bots", _HOSTED_MILLISECONDS
        cost = typical_bot_milliseconds(game, level)
        return ("quick_bots" if cost <= _QUICK_MILLISECONDS else "bots"), round(cost)

    async def choose(self, loaded: LoadedMatch, seat: int) -> str:
        """The turn of the bot that sits there, checked; or BotError, and the bot has left."""
        self.running += 1
        try:
            return await self._think(loaded, seat)
        finally:
            self.running -= 1

    async def _think(self, loaded: LoadedMatch, seat: int) -> str:
        match = loaded.match
        level = match.seats[seat].bot or ""
        pool, _ = self.pool_and_cost(match.game, level)
        if pool == "hosted_bots":
            return await self.hosted.choose(match, seat)
        try:
            player = loaded.bots.get(seat) or _seated(loaded, seat, level)
            return str((await self._ask(player, record(match, (seat,)), seat, pool)).turn)
        except (BotError, asyncio.CancelledError):  # a canceled one may still think in its thread
            loaded.bots.pop(seat, None)
            raise

    async def _ask(self, player: Bot, seen: Record, seat: int, pool: str) -> Choice:
        loop, begun, cancel_token = asyncio.get_running_loop(), asyncio.Event(), Stop()
        budget = Budget(seconds=self._seconds, cancel_token=cancel_token)

        def think() -> Choice:
            loop.call_soon_threadsafe(begun.set)
            return choose_checked(player, seen, seat, budget)

        thinking = loop.run_in_executor(self._threads[pool], think)
        try:
            await begun.wait()  # the time that it waits for others is not its own
            await asyncio.wait([thinking], timeout=self._seconds)
            if thinking.done():
                return thinking.result()
            raise BotError(f"it took longer than {self._seconds:g} s", "timeout")
        finally:
            if not thinking.done():  # nobody wants to know any more: it ends where it can, so that others get a turn
                thinking.add_done_callback(lambda late: late.cancelled() or late.exception())
                cancel_token.set()

    def leave(self, loaded: LoadedMatch) -> None:
        """The match is over: its bots go."""
        for player in loaded.bots.values():
            player.close()
        loaded.bots.clear()
        self.hosted.leave(loaded.match)

    async def stop(self) -> None:
        """Think no more."""
        await self.hosted.stop()
        for threads in self._threads.values():
            threads.shutdown(wait=False, cancel_futures=True)


def _seated(loaded: LoadedMatch, seat: int, level: str) -> Bot:
    try:
        loaded.bots[seat] = bot(loaded.match.game, level, seed=secrets.randbits(32))
    except Exception as error:
        raise BotError(f"it cannot be made: {type(error).__name__}") from error
    return loaded.bots[seat]
