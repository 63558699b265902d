"""Bots in their seats: they think beside the event loop and see what their seat may see."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor

from limina._kernel import Stop
from limina.bots import Bot, BotFailure, Budget, Choice, ask, bot, bot_names
from limina.protocols import Game
from limina.record import Record
from limina.server.matches.hosted_bots import HostedBots
from limina.server.matches.match import Match
from limina.server.matches.visibility import record

_THREADS = 2
_SECONDS = 60.0
"""What one of ours may take for a turn: many times what the strongest takes on a slow machine."""


class BotRunner:
    """Our bots and the host's, asked for a turn by the seat they sit on. Whatever goes wrong is a BotFailure."""

    def __init__(self, hosted: HostedBots | None = None, seconds: float = _SECONDS) -> None:
        self.hosted = hosted or HostedBots()
        self._seconds = seconds
        self.busy = 0
        """How many turns are being thought about or wait for it."""
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="bot")

    def names(self, game: Game) -> tuple[str, ...]:
        """All that may sit at a table of this game: ours, weakest first, then the host's."""
        return (*bot_names(game), *self.hosted.names(game))

    async def choose(self, match: Match, seat: int) -> str:
        """The turn of the bot that sits there, checked; or BotFailure, and the bot has left."""
        self.busy += 1
        try:
            return await self._choose(match, seat)
        finally:
            self.busy -= 1

    async def _choose(self, match: Match, seat: int) -> str:
        level = match.seats[seat].bot or ""
        if level not in bot_names(match.game):
            return await self.hosted.choose(match, seat)
        try:
            player = match.bots.get(seat) or _seated(match, seat, level)
            return str((await self._ask(player, record(match, (seat,)), seat)).turn)
        except BotFailure:
            match.bots.pop(seat, None)
            raise

    async def _ask(self, player: Bot, seen: Record, seat: int) -> Choice:
        loop, begun, bell = asyncio.get_running_loop(), asyncio.Event(), Stop()
        budget = Budget(seconds=self._seconds, stop=bell)

        def think() -> Choice:
            loop.call_soon_threadsafe(begun.set)
            return ask(player, seen, seat, budget)

        thinking = loop.run_in_executor(self._pool, think)
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

    def leave(self, match: Match) -> None:
        """The match is over: its bots go."""
        for player in match.bots.values():
            player.close()
        match.bots.clear()
        self.hosted.leave(match)

    async def stop(self) -> None:
        """Think no more."""
        await self.hosted.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)


def _seated(match: Match, seat: int, level: str) -> Bot:
    try:
        match.bots[seat] = bot(match.game, level, seed=secrets.randbits(32))
    except Exception as error:
        raise BotFailure(f"it cannot be made: {type(error).__name__}") from error
    return match.bots[seat]
