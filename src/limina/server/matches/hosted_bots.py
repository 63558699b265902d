"""Bots that the host has added: each in a process of its own for each seat it sits on, ended with its match.

Such a process may do anything, so it is waited for in threads that our own bots do not need, for no longer than the
host allows, and only so many run at once: whichever was asked longest ago ends first and is started again when it is
needed, since it is told the whole record with every question.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from limina.bots import BotError, Budget, bot_names, choose_checked
from limina.bots.engine_client import EngineClient
from limina.bots.isolated import check_isolated_bot, isolated_bot
from limina.core import registry
from limina.core.game import Game
from limina.core.validation import quote_truncated
from limina.errors import LiminaError
from limina.server.matches.match import Match
from limina.server.matches.visibility import record
from limina.server.settings import HostedBot

AT_ONCE = 4
_MOST_RUNNING = 16
_IDLE_SECONDS = 600.0

Place = tuple[str, int]
"""A match's id and a seat."""


@dataclass(slots=True)
class _Running:
    program: EngineClient
    busy: bool = False
    leaves: asyncio.TimerHandle | None = field(default=None)


class HostedBots:
    """All bots of the host that sit somewhere just now.

    Raises LiminaError for a bot that cannot be offered, as far as this shows without running it.
    """

    def __init__(self, bots: Sequence[HostedBot] = (), seconds: float = 20.0) -> None:
        _check(bots)
        self._bots = tuple(bots)
        self._budget = Budget(seconds=seconds)
        self._running: OrderedDict[Place, _Running] = OrderedDict()
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="hosted-bot")

    @property
    def configured(self) -> bool:
        """Whether there are any."""
        return bool(self._bots)

    def names(self, game: Game) -> tuple[str, ...]:
        """The host's bots for a game."""
        return tuple(each.name for each in self._bots if each.game in (None, game.name))

    async def choose(self, match: Match, seat: int) -> str:
        """The turn of the bot that sits there, checked; or BotError, and the bot has left."""
        place = (match.id, seat)
        running = self._started(match, seat)
        running.busy = True
        try:
            found = await asyncio.get_running_loop().run_in_executor(
                self._pool, choose_checked, running.program, record(match, (seat,)), seat, self._budget
            )
        except BotError:
            running.busy = False
            self._end(place)
            raise
        except asyncio.CancelledError:
            # A thread still waits for its answer. It must not be asked again: it could answer the former question.
            self._end(place)
            self._pool.submit(running.program.close)
            raise
        running.busy = False
        running.leaves = asyncio.get_running_loop().call_later(_IDLE_SECONDS, self._end, place)
        return str(found.turn)

    def leave(self, match: Match) -> None:
        """The match is over: its bots go."""
        for seat in range(len(match.seats)):
            self._end((match.id, seat))

    async def stop(self) -> None:
        """End all of them."""
        for place in list(self._running):
            self._end(place)
        await asyncio.to_thread(self._pool.shutdown)

    def _started(self, match: Match, seat: int) -> _Running:
        place, name = (match.id, seat), match.seats[seat].bot
        running = self._running.get(place)
        if running is None:
            wanted = next(
                (each for each in self._bots if each.name == name and each.game in (None, match.game.name)), None
            )
            if wanted is None:
                raise BotError("the host has taken it away", "unavailable")
            try:
                program = isolated_bot(match.game, wanted.command, seed=secrets.randbits(32))
            except LiminaError as error:
                raise BotError(str(error)) from None
            running = self._running[place] = _Running(program)
        if running.leaves is not None:
            running.leaves.cancel()
            running.leaves = None
        self._running.move_to_end(place)
        idle = [other for other, each in self._running.items() if not each.busy and other != place]
        for other in idle[: max(0, len(self._running) - _MOST_RUNNING)]:
            self._end(other)
        return running

    def _end(self, place: Place) -> None:
        running = self._running.pop(place, None)
        if running is None:
            return
        if running.leaves is not None:
            running.leaves.cancel()
        if running.busy:
            running.program.kill()  # whoever waits for it then sees to the rest
        else:
            self._pool.submit(running.program.close)  # it may take its moment to go


def _check(bots: Sequence[HostedBot]) -> None:
    """Raise LiminaError if a bot names an unknown game, a command that does not exist, or a name that is taken."""
    if not bots:
        return  # most hosts add none, and loading every game takes time
    taken = {(name, bot) for name in registry.game_names() for bot in bot_names(registry.game(name))}
    for bot in bots:
        for name in registry.game_names() if bot.game is None else (bot.game,):
            check_isolated_bot(registry.game(name), bot.command)
            if (name, bot.name) in taken:
                raise LiminaError(f"there is a bot called {quote_truncated(bot.name)} already: choose another name")
            taken.add((name, bot.name))
