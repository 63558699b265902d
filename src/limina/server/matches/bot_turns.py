"""Jobs of bots' turns: one for each match and seat, written with the events that make it due.

The append that plays the turn, or makes it obsolete, removes the job. So no job is lost, and a job that runs twice
changes nothing the second time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from limina.core.game import Game
from limina.server.errors import RefusedError
from limina.server.jobs import Handler, Job, JobQueue, WriteLine
from limina.server.matches.bot_runner import BotRunner
from limina.server.matches.loaded_match import LoadedMatch
from limina.server.matches.match import Match, PendingEvents
from limina.server.model import Seat

REQUEUE = "requeue"
"""The kind of the jobs that a migration writes: each requeues the bots to move of a match."""
_TURN = "turn"
WATCHED_MILLISECONDS = 30_000
"""A bot's turn counts as watched for so long after a turn that was played while a person watched the match, or after a
person has begun to watch it."""


class Matches(Protocol):
    """The matches in which bots play."""

    async def get(self, match_id: str, version: int | None = None) -> LoadedMatch:
        """Return a match at its stored version, or at least at `version`."""
        ...

    async def play_bot(self, loaded: LoadedMatch, seat_index: int, watched_until: int) -> None:
        """Let the bot of a seat play its turn."""
        ...

    async def requeue_bots(self, loaded: LoadedMatch) -> None:
        """Write the jobs of all bots that are to move."""
        ...


class BotTurns:
    """Creates and runs the jobs of bots' turns."""

    def __init__(self, bots: BotRunner, queue: JobQueue) -> None:
        self._bots = bots
        self._queue = queue

    def check_capacity(self, game: Game, seats: Sequence[Seat]) -> None:
        """Raise RefusedError if the job pool of one of the bots is full."""
        for seat in seats:
            if seat.bot is not None:
                self._queue.check(self._bots.pool_and_cost(game, seat.bot)[0])

    def changes(self, pending: PendingEvents, watched_until: int = 0) -> tuple[tuple[Job, ...], tuple[str, ...]]:
        """Return the jobs that become due with pending events, and the ids of those that are no longer due."""
        match = pending.match
        before = {} if pending.requeues else match.bots_to_move()
        after = pending.bots_to_move()
        if before == after:
            return (), ()
        jobs = [
            self._job(match, pending.version, seat_index, turn, watched_until)
            for seat_index, turn in after.items()
            if before.get(seat_index) != turn
        ]
        return tuple(jobs), tuple(_job_id(match, seat_index) for seat_index in before if seat_index not in after)

    def ids(self, match: Match) -> list[str]:
        """Return the ids of the jobs that are due in a match."""
        return [_job_id(match, seat_index) for seat_index in match.bots_to_move()]

    def _job(self, match: Match, version: int, seat_index: int, turn: str, watched_until: int) -> Job:
        pool, cost = self._bots.pool_and_cost(match.game, turn.partition(" ")[2])
        # A turn that follows from no request counts as one of a client of its own.
        client, payload = self._queue.client() or match.id, f"{version} {turn}".encode()
        return Job(_job_id(match, seat_index), _TURN, pool, client, cost, 0, watched_until, payload)

    # --- running

    def handlers(self, matches: Matches) -> dict[str, Handler]:
        """Return the handlers of these jobs."""

        async def play(job: Job, _: WriteLine) -> bool:
            match_id, seat = job.job_id.split()[1:]
            version, turn = job.payload.decode().split(" ", 1)
            loaded = await _get(matches, match_id, int(version))
            if loaded is None or loaded.match.bots_to_move().get(int(seat)) != turn:
                return True  # it was played or taken back meanwhile
            await matches.play_bot(loaded, int(seat), job.watched_until)
            return False

        async def requeue(job: Job, _: WriteLine) -> bool:
            loaded = await _get(matches, job.job_id.split()[1])
            if loaded is not None:
                await matches.requeue_bots(loaded)
            return True

        return {_TURN: Handler(play), REQUEUE: Handler(requeue)}


async def _get(matches: Matches, match_id: str, version: int | None = None) -> LoadedMatch | None:
    try:
        return await matches.get(match_id, version)
    except RefusedError as error:
        if error.code == "not_found":
            return None
        raise


def _job_id(match: Match, seat_index: int) -> str:
    return f"{_TURN} {match.id} {seat_index}"
