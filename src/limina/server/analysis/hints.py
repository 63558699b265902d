"""Hints for one turn: only for whoever plays alone or against bots, and from what their seat may see."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from typing import Any

from limina.analysis import hint
from limina.core.game import Game
from limina.core.message import to_json
from limina.core.position import Position
from limina.server.errors import RefusedError
from limina.server.jobs import Handler, Job, JobQueue, PoolLimits, WriteLine
from limina.server.matches import LoadedMatch, Match, visibility
from limina.server.wire.encoding import dump

_MILLISECONDS = 1000
_KIND = "hint"
HINT_POOL = {
    "hints": PoolLimits(
        max_running=1,
        max_running_per_client=1,
        max_waiting=16,
        max_waiting_per_client=8,
        message="many ask for a hint just now: please try again in a moment",
    )
}
GetMatch = Callable[[str], Awaitable[LoadedMatch]]
"""Returns a match by its id, as it is stored now."""


class Hints:
    """Hints as jobs. The kernel thinks without holding the interpreter's lock, so the server goes on."""

    def __init__(self, queue: JobQueue, get_match: GetMatch) -> None:
        self._queue = queue
        self._get_match = get_match
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hint")
        self._asked: dict[str, asyncio.Future[dict[str, Any]]] = {}

    async def ask(self, match: Match, mine: tuple[int, ...], seat: int) -> dict[str, Any]:
        """Return what to play now."""
        check(match, mine, seat)
        taken_back, turns, _ = match.moment(seat)
        key, version = f"{match.id} {seat} {turns}.{taken_back}", match.version
        asked = self._asked.get(key)
        if asked is None:
            asked = self._asked[key] = asyncio.ensure_future(self._hint(key))
            asked.add_done_callback(lambda _: self._asked.pop(key, None))
        return {"version": version, "seat": seat, **await asyncio.shield(asked)}

    async def _hint(self, key: str) -> dict[str, Any]:
        job = Job(f"{_KIND} {key}", _KIND, "hints", self._queue.client(), _MILLISECONDS)
        async with aclosing(self._queue.submit(job)) as lines:
            async for line in lines:
                found: dict[str, Any] = json.loads(line)
                return found
        raise RefusedError("stale", "the game has gone on meanwhile: please ask again")

    def handlers(self) -> dict[str, Handler]:
        """Return what runs these jobs."""

        async def run(job: Job, write: WriteLine) -> bool:
            match_id, seat, turn = job.job_id.split()[1:]
            with suppress(RefusedError):  # the match is gone, or damaged
                match = (await self._get_match(match_id)).match
                taken_back, turns, _ = match.moment(int(seat))
                if f"{turns}.{taken_back}" == turn and int(seat) in match.to_move:
                    await write(dump(await self._think(match, int(seat))))
            return True

        return {_KIND: Handler(run, needs_reader=True)}

    async def _think(self, match: Match, seat: int) -> dict[str, Any]:
        position, _ = visibility.seen(match, (seat,))
        return await asyncio.get_running_loop().run_in_executor(self._thread, _think, match.game, position, seat)

    async def stop(self) -> None:
        """Think no more."""
        asked = list(self._asked.values())
        for each in asked:
            each.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        self._thread.shutdown(wait=False, cancel_futures=True)


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
