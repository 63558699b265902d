"""Hints for one turn: only for whoever plays alone or against bots, and from what their seat may see."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from typing import Any

from limina.analysis import hint
from limina.position import Position
from limina.protocols import Game
from limina.reason import to_json
from limina.server.analysis.listened import ListenedJobs
from limina.server.errors import RefusedError
from limina.server.jobs import CURRENT_CLIENT, Job, LaneSize
from limina.server.matches import LoadedMatch, Match, visibility
from limina.server.wire.encoding import dump

_MOST_WAITING = 16
_MILLISECONDS = 1000.0
LANE = LaneSize(
    at_once=1,
    at_once_of_one=1,
    waiting=64,
    waiting_of_one=8,
    sentence="many ask for a hint just now: please try again in a moment",
)
LookUp = Callable[[str], Awaitable[LoadedMatch]]
"""Finds a match by its id, as it is stored now."""


class Hints:
    """One thinker for all who ask. The kernel thinks without holding the interpreter's lock, so the server goes on."""

    def __init__(self, shared: ListenedJobs | None = None, look_up: LookUp | None = None) -> None:
        self._shared = shared
        """The jobs of several processes, where it is one of them."""
        self._look_up = look_up
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="hint")
        self._asked: dict[tuple[str, int, int], asyncio.Future[dict[str, Any]]] = {}

    async def ask(self, match: Match, mine: tuple[int, ...], seat: int) -> dict[str, Any]:
        """What to play now."""
        check(match, mine, seat)
        key = (match.id, match.version, seat)
        asked = self._asked.get(key)
        if asked is None:
            if len(self._asked) >= _MOST_WAITING:
                raise RefusedError("too_many", LANE.sentence)
            asked = self._asked[key] = asyncio.ensure_future(
                self._think(match, seat) if self._shared is None else self._hear(self._shared, _job(match, seat))
            )
            asked.add_done_callback(lambda _: self._asked.pop(key, None))
        found = await asyncio.shield(asked)
        return {"version": key[1], "seat": seat, **found}

    async def do(self, job: Job) -> None:
        """Think for whoever listens, where several processes share their jobs."""
        assert self._shared is not None
        assert self._look_up is not None
        match_id, version, seat = job.key.split()
        try:
            match = (await self._look_up(match_id)).match
        except RefusedError:  # it is gone, or damaged
            return
        if match.version == int(version) and int(seat) in match.to_move:
            await self._shared.say(job, self._say(match, int(seat)))

    async def _say(self, match: Match, seat: int) -> AsyncGenerator[bytes]:
        yield dump(await self._think(match, seat))

    async def _hear(self, shared: ListenedJobs, job: Job) -> dict[str, Any]:
        shared.check(job)
        async with aclosing(shared.lines(job)) as lines:
            async for line in lines:
                found: dict[str, Any] = json.loads(line)
                return found
        raise RefusedError("stale", "the game has gone on meanwhile: please ask again")

    async def _think(self, match: Match, seat: int) -> dict[str, Any]:
        position, _ = visibility.seen(match, (seat,))
        return await asyncio.get_running_loop().run_in_executor(self._pool, _think, match.game, position, seat)

    def stop(self) -> None:
        """Think no more."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _job(match: Match, seat: int) -> Job:
    return Job("hint", f"{match.id} {match.version} {seat}", CURRENT_CLIENT.get(), _MILLISECONDS)


def check(match: Match, mine: tuple[int, ...], seat: int) -> None:
    """Refuse whoever has no right to a hint."""
    visibility.check_mine(mine, seat)
    if any(other.kind != "bot" for number, other in enumerate(match.seats) if number != seat):
        raise RefusedError("forbidden", "there are hints only for those who play alone or against bots")
    if seat not in match.to_move:
        over = match.phase == "over"
        raise RefusedError("stale", "the game is over" if over else "it is not this seat's turn")


def _think(game: Game, position: Position, seat: int) -> dict[str, Any]:
    found = hint(game, position, seat)
    return {
        "turn": found.turn,
        "value": round(found.value, 4),
        "unit": "probability" if found.percent else "points",
        "reasons": [to_json(reason) for reason in found.reasons],
    }
