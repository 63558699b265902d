"""One game of the arena: everything it needs comes in plain values, so that it can be played anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from random import Random
from time import perf_counter
from typing import Any

from limina.bots import Bot, BotError, Budget, bot, choose_checked
from limina.core.position import Step
from limina.core.record import Record
from limina.core.registry import game


@dataclass(frozen=True, slots=True)
class Job:
    """A game to be played."""

    index: int
    setup: int
    """The number of the setup: games with the same one are alike."""
    game: str
    start: dict[str, Any]
    """The game's own part of a record, before the first step."""
    deal: tuple[str, ...]
    """What chance will do."""
    seats: tuple[int, ...]
    """The bot in each seat, by its number in the plan."""
    bots: tuple[str, ...]
    """The bot in each seat, by its name."""
    seeds: tuple[int, ...]
    seconds: float
    """What a bot may take for a turn."""
    keep: bool
    """Whether the record is to come back too."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played."""

    index: int
    setup: int
    seats: tuple[int, ...]
    shares: tuple[float, ...]
    """Each seat's share of the win."""
    points: tuple[int, ...] | None
    """Each seat's points, where the game counts points and came to its end."""
    turns: int
    verdict: str | None
    """Who forfeited and why."""
    forfeited: int | None
    """The seat that forfeited."""
    seconds: tuple[float, ...]
    asked: tuple[int, ...]
    """How many turns each seat was asked for."""
    record: dict[str, Any] | None = None

    @classmethod
    def from_json(cls, data: object) -> Played:
        """Read what `asdict` gave to JSON; ValueError or TypeError if it is something else."""
        if not isinstance(data, dict):
            raise ValueError("this is not a game")
        values: dict[str, Any] = {key: tuple(each) if isinstance(each, list) else each for key, each in data.items()}
        played = cls(**values)
        if not played._is_sound():
            raise ValueError("this is not a game that was played")
        return played

    def _is_sound(self) -> bool:
        """Whether all fields are of the kind that they should be: a file may hold anything."""
        numbers = (self.index, self.setup, self.turns)
        lists = (self.seats, self.shares, self.seconds, self.asked)
        if not all(type(number) is int for number in numbers) or not all(type(each) is tuple for each in lists):
            return False
        size = len(self.seats)
        if any(len(each) != size for each in lists) or (self.points is not None and len(self.points) != size):
            return False
        if not all(type(seat) is int for seat in self.seats):
            return False
        values = [*self.shares, *self.seconds, *self.asked, *(self.points or ())]
        return (
            all(type(value) in (int, float) and isfinite(value) for value in values)
            and (self.forfeited is None or self.forfeited in range(size))
            and isinstance(self.verdict, str | None)
            and isinstance(self.record, dict | None)
        )


def play_game(job: Job) -> Played:
    """Play the game to its end, or until a bot forfeits."""
    the_game = game(job.game)
    start, _ = the_game.unpack(job.start, len(job.seats))
    record = Record(the_game, tuple(f"bot:{name}" for name in job.bots), start)
    deal = iter(job.deal)
    rng = Random(job.seeds[0])  # for what the deal leaves open
    seconds, asked = [0.0] * len(job.seats), [0] * len(job.seats)
    verdict, forfeited = None, None
    bots: list[Bot] = []
    try:
        for name, seed in zip(job.bots, job.seeds, strict=True):
            bots.append(bot(the_game, name, seed=seed, allow_external=True))
        while record.end.outcome is None and forfeited is None:
            if record.end.awaits_chance:
                drawn = next(deal, None)
                record = record.apply_chance(rng) if drawn is None else record.apply(Step(None, drawn))
                continue
            # All who may move see the same position, so nobody learns from whom we happen to ask first.
            turns = {}
            for seat in record.end.to_move:
                begun = perf_counter()
                asked[seat] += 1
                try:
                    turns[seat] = choose_checked(bots[seat], record, seat, Budget(seconds=job.seconds)).turn
                except BotError as failure:
                    verdict, forfeited = f"{job.bots[seat]} forfeits: {failure}", seat
                    break
                finally:
                    seconds[seat] += perf_counter() - begun
            else:
                for seat, turn in turns.items():
                    record = record.play(turn, seat)
    finally:
        for each in bots:
            each.close()
    return Played(
        job.index,
        job.setup,
        job.seats,
        _shares(record, forfeited),
        _points(record, forfeited),
        sum(asked),
        verdict,
        forfeited,
        tuple(seconds),
        tuple(asked),
        _kept(record, job, verdict) if job.keep else None,
    )


def _shares(record: Record, forfeited: int | None) -> tuple[float, ...]:
    seats = range(record.end.players)
    if forfeited is not None:
        return tuple(0.0 if seat == forfeited else 1 / (len(seats) - 1) for seat in seats)
    outcome = record.end.outcome
    assert outcome is not None
    return tuple(1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in seats)


def _points(record: Record, forfeited: int | None) -> tuple[int, ...] | None:
    if record.game.scoring is None:
        return None
    points = record.game.scoring.points(record.end)
    if forfeited is None:
        return points
    # Alone, a game that was given up is worth nothing; with others, their points would mean nothing.
    return (0,) if len(points) == 1 else None


def _kept(record: Record, job: Job, verdict: str | None) -> dict[str, Any]:
    extra = {"arena": {"game": job.index, "setup": job.setup, "seeds": list(job.seeds), "verdict": verdict}}
    return {**record.to_json(), **extra}
