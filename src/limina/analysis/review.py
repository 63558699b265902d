"""A game turn by turn: what each one was worth, what would have been better, and why."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from limina.analysis.thinking import QUICK, Level, Weighed, hurry, thinker, weigh, worth_of
from limina.bots import Thinker
from limina.protocols import Game, LiminaError, Position
from limina.record import Record

SHOWN = 5
"""Candidates that a review keeps."""
ALMOST = 1e-9
USUAL_TURNS = 32
"""A record with more turns is looked at less closely, so that it takes about as long."""


@dataclass(frozen=True, slots=True)
class TurnReview:
    """One turn of a game, looked at again."""

    step: int
    """Its place among the record's steps."""
    number: int
    """The round or turn it belongs to, from 1."""
    player: int
    played: str
    best: str
    before: float
    """What the position was worth to the player, with the best turn."""
    after: float
    """What the turn played left of it."""
    forced: bool
    """Whether there was no other turn."""
    mark: str
    """?? for a blunder, ? for a mistake, ! for a brilliant turn, else nothing."""
    candidates: tuple[tuple[str, float], ...]
    """The best turns found, with their values."""
    reasons: tuple[str, ...]

    @property
    def lost(self) -> float:
        """How much was given away."""
        return self.before - self.after

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "step": self.step,
            "number": self.number,
            "player": self.player,
            "played": self.played,
            "best": self.best,
            "before": round(self.before, 4),
            "after": round(self.after, 4),
            "lost": round(self.lost, 4),
            "forced": self.forced,
            "mark": self.mark,
            "candidates": [{"turn": turn, "value": round(value, 4)} for turn, value in self.candidates],
            "reasons": list(self.reasons),
        }


def analyse(
    record: Record,
    *,
    level: Level | None = None,
    work: int | None = None,
    seed: int = 0,
    workers: int = 2,
    player: int | None = None,
) -> Iterator[TurnReview]:
    """Review a record's turns, in their order, each as soon as it is known; closing the iterator stops the work.

    `level` is the bot that thinks and `work` how much of it, where the bot can be told; `player` reviews one alone.
    """
    game = record.game
    thinker(game, level, work=work)  # says at once what is wrong
    minds: list[Thinker] = []
    tasks: list[tuple[int, Position, int, str]] = []
    for number, (step, position) in enumerate(zip(record.steps, record.positions(), strict=False)):
        if step.player is not None and player in (None, step.player):
            tasks.append((number, position, step.player, step.text))

    def look(task: tuple[int, Position, int, str]) -> TurnReview:
        number, position, mover, played = task
        # A mind of its own for each turn: what it thinks does not depend on what it thought before.
        share = min(1.0, USUAL_TURNS / len(tasks))
        mind = thinker(game, level, seed=seed + number, work=work, share=share)
        less = None if work is None else max(1, round(work * QUICK))
        quick = thinker(game, level, seed=seed + number, work=less, share=share * QUICK)
        minds.extend((mind, quick))
        return review_turn(game, mind, quick, position, mover, played, step=number, seed=seed + number)

    # Threads are enough: the kernel thinks without holding the interpreter's lock.
    pool = ThreadPoolExecutor(max(1, workers), thread_name_prefix="review")
    try:
        yield from pool.map(look, tasks)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for mind in minds:
            hurry(mind)
        pool.shutdown()


def review_turn(
    game: Game,
    mind: Thinker,
    quick: Thinker,
    position: Position,
    player: int,
    played: str,
    *,
    step: int = 0,
    seed: int = 0,
) -> TurnReview:
    """Look at one turn, closely with one mind and in glances with the other."""
    turn = game.read_turn(played)
    weighed = weigh(mind, position, player)
    after = worth_of(mind, quick, game, position, player, turn, weighed, seed)
    value, best = weighed.value, weighed.best
    same = position.play(best, player) == position.play(turn, player)
    if same or after >= value:
        # Looking closer at the turn played found it at least as good: then it was the best one.
        value = after = max(value, after)
        best = turn
    forced = len(position.legal_turns(player)) == 1
    mark = _mark(game, position, player, turn, value - after, weighed, forced=forced, seed=seed)
    reasons = game.explain(position, player, turn, best) if mark in ("?", "??") else []
    if mark == "!":
        reasons = game.explain(position, player, None, best)
    return TurnReview(
        step,
        position.progress + 1,
        player,
        played,
        str(best),
        value,
        after,
        forced,
        mark,
        tuple((str(each.turn), each.value) for each in weighed.candidates[:SHOWN]),
        tuple(reasons),
    )


def _mark(
    game: Game,
    position: Position,
    player: int,
    turn: object,
    lost: float,
    weighed: Weighed,
    *,
    forced: bool,
    seed: int,
) -> str:
    if lost >= game.scale.blunder:
        return "??"
    if lost >= game.scale.mistake:
        return "?"
    if forced or lost > ALMOST:
        return ""
    # Brilliant: much better than whatever else there was, and not what a weak player would have seen.
    played = position.play(turn, player)
    others = [each.value for each in weighed.candidates if position.play(each.turn, player) != played]
    if weighed.value - max(others, default=weighed.value) < game.scale.mistake:
        return ""
    return "" if _plain_to_see(game, position, player, turn, seed) else "!"


def _plain_to_see(game: Game, position: Position, player: int, turn: object, seed: int) -> bool:
    weakest = next(iter(game.bots), None)
    if weakest is None:
        return False
    try:
        seen = game.bots[weakest](seed=seed).choose(position, player)
    except LiminaError:
        return False
    return bool(position.play(seen, player) == position.play(turn, player))
