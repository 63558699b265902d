"""Bots in their seats: they think beside the event loop and see what their seat may see."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor

from limina.bots import BotFailure, ask, bot, bot_names
from limina.protocols import Game
from limina.server.matches.hosted_bots import HostedBots
from limina.server.matches.match import Match
from limina.server.matches.visibility import record

_THREADS = 2


class BotRunner:
    """Our bots and the host's, asked for a turn by the seat they sit on."""

    def __init__(self, hosted: HostedBots | None = None) -> None:
        self.hosted = hosted or HostedBots()
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="bot")

    def names(self, game: Game) -> tuple[str, ...]:
        """All that may sit at a table of this game: ours, weakest first, then the host's."""
        return (*bot_names(game), *self.hosted.names(game))

    async def choose(self, match: Match, seat: int) -> str:
        """The turn of the bot that sits there, checked; or BotFailure."""
        level = match.seats[seat].bot or ""
        if level not in bot_names(match.game):
            return await self.hosted.choose(match, seat)
        if seat not in match.bots:
            match.bots[seat] = bot(match.game, level, seed=secrets.randbits(32))
        seen = record(match, (seat,))
        try:
            turn = await asyncio.get_running_loop().run_in_executor(self._pool, ask, match.bots[seat], seen, seat)
        except BotFailure:
            del match.bots[seat]
            raise
        return str(turn)

    def leave(self, match: Match) -> None:
        """The match is over: its bots go."""
        match.bots.clear()
        self.hosted.leave(match)

    async def stop(self) -> None:
        """Think no more."""
        await self.hosted.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)
