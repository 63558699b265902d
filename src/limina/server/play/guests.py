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

from limina.bots import BotFailure, Budget, ask
from limina.bots.hosted import hosted
from limina.bots.program import Program
from limina.errors import LiminaError
from limina.protocols import Game, Step
from limina.record import Record
from limina.server.play.match import Match
from limina.server.settings import HostedBot

_AT_ONCE = 4
_MOST_RUNNING = 16
_IDLE_SECONDS = 600.0

Chair = tuple[str, int]
"""A match's id and a seat."""


@dataclass(slots=True)
class _Guest:
    program: Program
    busy: bool = False
    leaves: asyncio.TimerHandle | None = field(default=None)


class Guests:
    """All bots of the host that sit somewhere just now."""

    def __init__(self, bots: Sequence[HostedBot] = (), seconds: float = 20.0) -> None:
        self._bots = tuple(bots)
        self._seconds = seconds
        self._sitting: OrderedDict[Chair, _Guest] = OrderedDict()
        self._pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="guest")

    def names(self, game: Game) -> tuple[str, ...]:
        """The host's bots for a game."""
        return tuple(each.name for each in self._bots if each.game in (None, game.name))

    async def choose(self, match: Match, seat: int) -> str:
        """The turn of the bot that sits there, checked; or BotFailure, and the bot has left."""
        chair = (match.id, seat)
        guest = self._seated(match, seat)
        names = tuple(other.name or "?" for other in match.seats)
        # What others have done in an open round is not told, hidden or not: as docs/engine.md promises.
        steps = tuple(match.steps[: match.shown.mark])
        guest.busy = True
        try:
            found = await asyncio.get_running_loop().run_in_executor(
                self._pool, self._ask, guest.program, match, names, steps, seat
            )
        except BotFailure:
            guest.busy = False
            self._dismiss(chair)
            raise
        guest.busy = False
        guest.leaves = asyncio.get_running_loop().call_later(_IDLE_SECONDS, self._dismiss, chair)
        return str(found)

    def leave(self, match: Match) -> None:
        """The match is over: its guests go."""
        for seat in range(len(match.seats)):
            self._dismiss((match.id, seat))

    async def stop(self) -> None:
        """End all of them."""
        for chair in list(self._sitting):
            self._dismiss(chair)
        await asyncio.to_thread(self._pool.shutdown)

    def _ask(
        self, program: Program, match: Match, names: tuple[str, ...], steps: tuple[Step, ...], seat: int
    ) -> object:
        return ask(program, Record(match.game, names, match.start, steps), seat, Budget(seconds=self._seconds)).turn

    def _seated(self, match: Match, seat: int) -> _Guest:
        chair, name = (match.id, seat), match.seats[seat].bot
        guest = self._sitting.get(chair)
        if guest is None:
            wanted = next(
                (each for each in self._bots if each.name == name and each.game in (None, match.game.name)), None
            )
            if wanted is None:
                raise BotFailure("the host has taken it away", "gone")
            try:
                program = hosted(match.game, wanted.command, seed=secrets.randbits(32))
            except LiminaError as error:
                raise BotFailure(str(error)) from None
            guest = self._sitting[chair] = _Guest(program)
        if guest.leaves is not None:
            guest.leaves.cancel()
            guest.leaves = None
        self._sitting.move_to_end(chair)
        idle = [other for other, each in self._sitting.items() if not each.busy and other != chair]
        for other in idle[: max(0, len(self._sitting) - _MOST_RUNNING)]:
            self._dismiss(other)
        return guest

    def _dismiss(self, chair: Chair) -> None:
        guest = self._sitting.pop(chair, None)
        if guest is None:
            return
        if guest.leaves is not None:
            guest.leaves.cancel()
        if guest.busy:
            guest.program.kill()  # whoever waits for it then sees to the rest
        else:
            self._pool.submit(guest.program.close)  # it may take its moment to go
