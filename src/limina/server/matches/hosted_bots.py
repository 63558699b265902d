"""Hosted bots: those that a host adds to the server. Each has a process for each of its seats.

The process may do anything, so its answer is awaited in threads that built-in bots do not use, and with a time limit.
The number of processes is limited: the least recently used is ended first. It is started again when its bot is to move,
since every request contains the whole record.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from limina.bots import BotError, Budget, bot_names, choose_checked
from limina.bots.engine_client import EngineClient
from limina.bots.subprocess_bot import check_subprocess_bot, subprocess_bot
from limina.core import registry
from limina.core.game import Game
from limina.core.validation import quote_truncated
from limina.errors import LiminaError
from limina.server.matches.match import Match
from limina.server.matches.visibility import record
from limina.server.settings import HostedBot

MAX_CONCURRENT_TURNS = 4
_MAX_PROCESSES = 16
_IDLE_SECONDS = 600.0
"""An idle process is ended after this time."""

_MatchSeat = tuple[str, int]
"""The id of a match and the index of a seat."""


@dataclass(slots=True)
class _Process:
    client: EngineClient
    is_busy: bool = False
    idle_timer: asyncio.TimerHandle | None = None


class HostedBots:
    """The hosted bots and their processes.

    The constructor raises LiminaError for a bot that cannot be offered, as far as that is known without running it.
    """

    def __init__(self, bots: Sequence[HostedBot] = (), seconds: float = 20.0) -> None:
        _check(bots)
        self._bots = tuple(bots)
        self._budget = Budget(seconds=seconds)
        self._processes: OrderedDict[_MatchSeat, _Process] = OrderedDict()
        """The least recently used first."""
        self._threads = ThreadPoolExecutor(MAX_CONCURRENT_TURNS, thread_name_prefix="hosted-bot")

    @property
    def configured(self) -> bool:
        """True if there is at least one hosted bot."""
        return bool(self._bots)

    def names(self, game: Game) -> tuple[str, ...]:
        """Return the hosted bots of a game."""
        return tuple(bot.name for bot in self._bots if bot.game in (None, game.name))

    async def choose(self, match: Match, seat_index: int) -> str:
        """Return a legal turn of the bot of a seat; end its process and raise BotError if it fails."""
        match_seat = (match.id, seat_index)
        process = self._get_process(match, seat_index)
        process.is_busy = True
        try:
            choice = await asyncio.get_running_loop().run_in_executor(
                self._threads, choose_checked, process.client, record(match, (seat_index,)), seat_index, self._budget
            )
        except BotError:
            process.is_busy = False
            self._end(match_seat)
            raise
        except asyncio.CancelledError:
            # A thread still waits for the answer. The process is not reused: the next request could get this answer.
            self._end(match_seat)
            self._threads.submit(process.client.close)
            raise
        process.is_busy = False
        process.idle_timer = asyncio.get_running_loop().call_later(_IDLE_SECONDS, self._end, match_seat)
        return str(choice.turn)

    def release(self, match: Match) -> None:
        """End the processes of a match that is over."""
        for seat_index in range(len(match.seats)):
            self._end((match.id, seat_index))

    async def stop(self) -> None:
        """End all processes."""
        for match_seat in list(self._processes):
            self._end(match_seat)
        await asyncio.to_thread(self._threads.shutdown)

    def _get_process(self, match: Match, seat_index: int) -> _Process:
        match_seat = (match.id, seat_index)
        process = self._processes.get(match_seat)
        if process is None:
            bot = self._find(match.game, match.seats[seat_index].bot)
            try:
                client = subprocess_bot(match.game, bot.command, seed=secrets.randbits(32))
            except LiminaError as error:
                raise BotError(str(error)) from None
            process = self._processes[match_seat] = _Process(client)
        if process.idle_timer is not None:
            process.idle_timer.cancel()
            process.idle_timer = None
        self._processes.move_to_end(match_seat)
        idle = [other for other, its in self._processes.items() if not its.is_busy and other != match_seat]
        for other in idle[: max(0, len(self._processes) - _MAX_PROCESSES)]:
            self._end(other)
        return process

    def _find(self, game: Game, name: str | None) -> HostedBot:
        for bot in self._bots:
            if bot.name == name and bot.game in (None, game.name):
                return bot
        raise BotError("the host no longer offers it", "unavailable")

    def _end(self, match_seat: _MatchSeat) -> None:
        process = self._processes.pop(match_seat, None)
        if process is None:
            return
        if process.idle_timer is not None:
            process.idle_timer.cancel()
        if process.is_busy:
            process.client.kill()  # the call of `choose` that waits for it then fails and cleans up
        else:
            self._threads.submit(process.client.close)  # in a thread, because it waits for the process


def _check(bots: Sequence[HostedBot]) -> None:
    """Raise LiminaError if a bot has an unknown game, a command that does not exist, or a name that is taken."""
    if not bots:
        return  # without loading every game, which takes time
    taken = {(name, bot) for name in registry.game_names() for bot in bot_names(registry.game(name))}
    for bot in bots:
        for name in registry.game_names() if bot.game is None else (bot.game,):
            check_subprocess_bot(registry.game(name), bot.command)
            if (name, bot.name) in taken:
                raise LiminaError(f"there is a bot called {quote_truncated(bot.name)} already: choose another name")
            taken.add((name, bot.name))
