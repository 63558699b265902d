"""Hints for the next turn of a player who plays alone or against bots, from what their seat may see."""

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

_COST_MILLISECONDS = 1000
"""Expected time of a hint, by which the job pool shares its capacity between clients."""
_KIND = "hint"
HINT_POOL = {
    "hints": PoolLimits(
        max_running=1,
        max_running_per_client=1,
        max_waiting=16,
        max_waiting_per_client=8,
        message="many hints are being computed just now: please try again in a moment",
    )
}
GetMatch = Callable[[str], Awaitable[LoadedMatch]]
"""Function that returns the current state of a match by its id."""


class Hints:
    """Hints as jobs. They run in a thread, in which the kernel searches without Python's lock."""

    def __init__(self, queue: JobQueue, get_match: GetMatch) -> None:
        self._queue = queue
        self._get_match = get_match
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hint")

    async def request(self, match: Match, own_seats: tuple[int, ...], seat_index: int) -> dict[str, Any]:
        """Return a hint for the seat. Raise RefusedError if it may not have one, or the match moves on meanwhile."""
        check(match, own_seats, seat_index)
        job_id, version = f"{_KIND} {match.id} {seat_index} {_turn_id(match, seat_index)}", match.version
        job = Job(job_id, _KIND, "hints", self._queue.client(), _COST_MILLISECONDS)
        async with aclosing(self._queue.submit(job)) as lines:
            async for line in lines:
                return {"version": version, "seat_index": seat_index, **json.loads(line)}
        raise RefusedError("stale", "the game has moved on: please ask again")

    def handlers(self) -> dict[str, Handler]:
        """Return the handler of these jobs by their kind."""
        return {_KIND: Handler(self._run, needs_watcher=True)}

    async def _run(self, job: Job, write: WriteLine) -> bool:
        match_id, seat, turn_id = job.job_id.split()[1:]
        seat_index = int(seat)
        with suppress(RefusedError):  # the match was deleted or is damaged
            match = (await self._get_match(match_id)).match
            if _turn_id(match, seat_index) == turn_id and seat_index in match.to_move:
                position, _ = visibility.visible_position(match, (seat_index,))
                loop = asyncio.get_running_loop()
                suggestion = await loop.run_in_executor(self._thread, hint, match.game, position, seat_index)
                await write(dump(suggestion.to_json()))
        return True

    def stop(self) -> None:
        """Cancel the hints that wait and stop the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _turn_id(match: Match, seat_index: int) -> str:
    """Return a text that identifies the next turn of a seat."""
    take_back_count, turn_index, _ = match.turn_identity(seat_index)
    return f"{turn_index}.{take_back_count}"


def check(match: Match, own_seats: tuple[int, ...], seat_index: int) -> None:
    """Raise RefusedError unless the caller holds the seat, all other seats are bots, and the seat is to move."""
    visibility.check_seat_held(own_seats, seat_index)
    if any(seat.kind != "bot" for index, seat in enumerate(match.seats) if index != seat_index):
        raise RefusedError("forbidden", "hints are only for games alone or against bots")
    if seat_index not in match.to_move:
        over = match.phase == "over"
        raise RefusedError("stale", "the game is over" if over else "it is not this seat's turn")
