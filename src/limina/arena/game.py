"""One game of the arena. Tasks and results are plain values, so that any process can play a game."""

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
class GameTask:
    """A game to be played."""

    index: int
    setup: int
    """Index of the setup. Games with the same one begin alike."""
    game: str
    start: dict[str, Any]
    """The game's own part of a record before the first step."""
    deal: tuple[str, ...]
    """Chance steps of the setup."""
    seats: tuple[int, ...]
    """Index in the plan of the bot in each seat."""
    bots: tuple[str, ...]
    """Name of the bot in each seat."""
    seeds: tuple[int, ...]
    """Seed of the bot in each seat."""
    seconds: float
    """Time limit for a turn."""
    keep_record: bool
    """True if the result contains the record."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a game."""

    index: int
    setup: int
    seats: tuple[int, ...]
    """Index in the plan of the bot in each seat."""
    shares: tuple[float, ...]
    """Share of the win of each seat."""
    points: tuple[int, ...] | None
    """Points of each seat, or None if the game has no points, or a bot forfeited a game of several players."""
    turns: int
    """Number of turns for which bots were asked."""
    verdict: str | None
    """Sentence that says which bot forfeited and why."""
    forfeited_seat: int | None
    seconds: tuple[float, ...]
    """Time that each seat took for its turns."""
    turn_counts: tuple[int, ...]
    """Number of turns for which each seat was asked."""
    record: dict[str, Any] | None = None

    @classmethod
    def from_json(cls, data: object) -> GameResult:
        """Return the result that `asdict` and JSON wrote. Raises ValueError or TypeError if the data is invalid."""
        if not isinstance(data, dict):
            raise ValueError("a game result must be an object")
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in data.items()
        }
        result = cls(**values)
        if not result._has_valid_types():
            raise ValueError("a field of a game result has the wrong type")
        return result

    def _has_valid_types(self) -> bool:
        """Return True if all fields have the right types and lengths. A file can contain any values."""
        numbers = (self.index, self.setup, self.turns)
        lists = (self.seats, self.shares, self.seconds, self.turn_counts)
        if not all(type(number) is int for number in numbers) or not all(type(values) is tuple for values in lists):
            return False
        seat_count = len(self.seats)
        if any(len(values) != seat_count for values in lists):
            return False
        if self.points is not None and len(self.points) != seat_count:
            return False
        if not all(type(bot_index) is int for bot_index in self.seats):
            return False
        values = [*self.shares, *self.seconds, *self.turn_counts, *(self.points or ())]
        return (
            all(type(value) in (int, float) and isfinite(value) for value in values)
            and (self.forfeited_seat is None or self.forfeited_seat in range(seat_count))
            and isinstance(self.verdict, str | None)
            and isinstance(self.record, dict | None)
        )


def play_game(task: GameTask) -> GameResult:
    """Play a game to its end, or until a bot forfeits."""
    rules = game(task.game)
    start, _ = rules.unpack(task.start, len(task.seats))
    record = Record(rules, tuple(f"bot:{name}" for name in task.bots), start)
    deal = iter(task.deal)
    rng = Random(task.seeds[0])  # for chance steps that the deal does not contain
    seconds, turn_counts = [0.0] * len(task.seats), [0] * len(task.seats)
    verdict, forfeited_seat = None, None
    bots: list[Bot] = []
    try:
        for name, seed in zip(task.bots, task.seeds, strict=True):
            bots.append(bot(rules, name, seed=seed, allow_external=True))
        while record.position.outcome is None and forfeited_seat is None:
            if record.position.awaits_chance:
                dealt = next(deal, None)
                record = record.apply_random_chance_step(rng) if dealt is None else record.apply(Step(None, dealt))
                continue
            # All players to move get the same position, so the order in which the bots are asked does not matter.
            turns = {}
            for seat in record.position.to_move:
                started = perf_counter()
                turn_counts[seat] += 1
                try:
                    turns[seat] = choose_checked(bots[seat], record, seat, Budget(seconds=task.seconds)).turn
                except BotError as error:
                    verdict, forfeited_seat = f"{task.bots[seat]} forfeits: {error}", seat
                    break
                finally:
                    seconds[seat] += perf_counter() - started
            else:
                for seat, turn in turns.items():
                    record = record.play(turn, seat)
    finally:
        for player in bots:
            player.close()
    return GameResult(
        task.index,
        task.setup,
        task.seats,
        _shares(record, forfeited_seat),
        _points(record, forfeited_seat),
        sum(turn_counts),
        verdict,
        forfeited_seat,
        tuple(seconds),
        tuple(turn_counts),
        _record_json(record, task, verdict) if task.keep_record else None,
    )


def _shares(record: Record, forfeited_seat: int | None) -> tuple[float, ...]:
    seats = range(record.position.players)
    if forfeited_seat is not None:
        return tuple(0.0 if seat == forfeited_seat else 1 / (len(seats) - 1) for seat in seats)
    outcome = record.position.outcome
    assert outcome is not None
    return tuple(1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in seats)


def _points(record: Record, forfeited_seat: int | None) -> tuple[int, ...] | None:
    if record.game.scoring is None:
        return None
    points = record.game.scoring.points(record.position)
    if forfeited_seat is None:
        return points
    # A bot that plays alone gets no points for a game that it forfeits. With opponents, the points of an unfinished
    # game cannot be compared.
    return (0,) if len(points) == 1 else None


def _record_json(record: Record, task: GameTask, verdict: str | None) -> dict[str, Any]:
    extra = {"arena": {"game": task.index, "setup": task.setup, "seeds": list(task.seeds), "verdict": verdict}}
    return {**record.to_json(), **extra}
