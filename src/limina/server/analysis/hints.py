"""Hints for one turn: only for whoever plays alone or against bots, and from what their seat may see."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from typing import Any

from limina.analysis import hint
from limina.server.errors import RefusedError
from limina.server.jobs import Handler, Job, JobQueue, PoolLimits, WriteLine
from limina.server.matches import LoadedMatch, Match, visibility
from limina.server.schemas.json_encoding import dump

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

    async def request(self, match: Match, mine: tuple[int, ...], seat: int) -> dict[str, Any]:
        """Return what to play now."""
        check(match, mine, seat)
        job_id, version = f"{_KIND} {match.id} {seat} {_turn_of(match, seat)}", match.version
        job = Job(job_id, _KIND, "hints", self._queue.client(), _MILLISECONDS)
        async with aclosing(self._queue.submit(job)) as lines:
            async for line in lines:
                return {"version": version, "seat": seat, **json.loads(line)}
        raise RefusedError("stale", "the game has gone on meanwhile: please ask again")

    def handlers(self) -> dict[str, Handler]:
        """Return what runs these jobs."""
        return {_KIND: Handler(self._run, needs_reader=True)}

    async def _run(self, job: Job, write: WriteLine) -> bool:
        match_id, number, turn = job.job_id.split()[1:]
        seat = int(number)
        with suppress(RefusedError):  # the match is gone, or damaged
            match = (await self._get_match(match_id)).match
            if _turn_of(match, seat) == turn and seat in match.to_move:
                position, _ = visibility.visible_position(match, (seat,))
                loop = asyncio.get_running_loop()
                found = await loop.run_in_executor(self._thread, hint, match.game, position, seat)
                await write(dump(found.to_json()))
        return True

    def stop(self) -> None:
        """Think no more."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _turn_of(match: Match, seat: int) -> str:
    """Return a text that names the turn which a seat plays next."""
    taken_back, turns, _ = match.turn_identity(seat)
    return f"{turns}.{taken_back}"


def check(match: Match, mine: tuple[int, ...], seat: int) -> None:
    """Refuse whoever has no right to a hint."""
    visibility.check_seat_held(mine, seat)
    if any(other.kind != "bot" for number, other in enumerate(match.seats) if number != seat):
        raise RefusedError("forbidden", "there are hints only for those who play alone or against bots")
    if seat not in match.to_move:
        over = match.phase == "over"
        raise RefusedError("stale", "the game is over" if over else "it is not this seat's turn")
