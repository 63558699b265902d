"""A game turn by turn: what each one was worth, what would have been better, and why."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from limina._kernel import Stop
from limina.analysis.evaluation import (
    QUICK_WORK_SHARE,
    Evaluator,
    Level,
    PositionEvaluation,
    default_max_work,
    evaluate_position,
    turn_value,
)
from limina.bots import BotError, Budget, bot, choose_checked
from limina.core.game import Game
from limina.core.position import Position
from limina.core.record import Record

MAX_CANDIDATES = 5
"""Candidates that a review keeps."""
VALUE_EPSILON = 1e-9
FULL_WORK_TURNS = 32
"""A record with more turns is looked at less closely, so that it takes about as long."""


@dataclass(frozen=True, slots=True)
class TurnReview:
    """One turn of a game, looked at again."""

    # What is sent to pages repeats these fields in a shape of its own: others rely on that one, this one may change.
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


def analyze(
    record: Record,
    *,
    level: Level | None = None,
    max_work: int | None = None,
    seed: int = 0,
    threads: int = 2,
    player: int | None = None,
) -> Iterator[TurnReview]:
    """Review a record's turns, in their order, each as soon as it is known; closing the iterator stops the work.

    `level` is the bot that thinks and `work` how much of it, where the bot can be told; `player` reviews one alone.
    """
    stop = Stop()
    tasks = _tasks(record, player)
    # Only the usual work is shared out: who says how much to work on a turn means each turn.
    share = _share(len(tasks)) if max_work is None else 1.0
    with _evaluators(record.game, level, max_work, share, seed, stop):
        pass  # says at once what is wrong

    def look(task: _Task) -> TurnReview:
        # Evaluators of its own for each turn: what they think does not depend on what they thought before.
        with _evaluators(record.game, level, max_work, share, seed + task.step, stop) as (close, quick):
            return review_turn(close, quick, task, seed + task.step)

    # Threads are enough: the kernel thinks without holding the interpreter's lock.
    pool = ThreadPoolExecutor(max(1, threads), thread_name_prefix="review")
    try:
        yield from pool.map(look, tasks)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        stop.set()
        pool.shutdown()


def evaluate_turn(record: Record, step: int, player: int, turn: str) -> float:
    """What another turn would have been worth to a player at that place of a record, as a review of it would say."""
    game, position = record.game, next(islice(record.positions(), step, None))
    share = _share(sum(each.player is not None for each in record.steps))
    wanted = game.read_turn(turn)
    position.play(wanted, player)  # says at once what is wrong
    with _evaluators(game, None, None, share, step, Stop()) as (close, quick):
        return turn_value(close, quick, position, player, wanted, evaluate_position(close, position, player), step)


class _Task(NamedTuple):
    """A turn to be looked at."""

    step: int
    position: Position
    player: int
    played: str


def _tasks(record: Record, player: int | None) -> list[_Task]:
    return [
        _Task(number, position, step.player, step.text)
        for number, (step, position) in enumerate(zip(record.steps, record.positions(), strict=False))
        if step.player is not None and player in (None, step.player)
    ]


def _share(turns: int) -> float:
    """How much of the usual work there is for each of so many turns."""
    return min(1.0, FULL_WORK_TURNS / max(1, turns))


@contextmanager
def _evaluators(
    game: Game, level: Level | None, max_work: int | None, share: float, seed: int, stop: Stop
) -> Iterator[tuple[Evaluator, Evaluator]]:
    """One that looks closely, and one that takes glances."""

    def evaluator(part: float) -> Evaluator:
        budget = Budget(max_work=default_max_work(game, level, max_work, part), cancel_token=stop)
        return Evaluator(game, level, seed=seed, budget=budget)

    with closing(evaluator(share)) as close, closing(evaluator(share * QUICK_WORK_SHARE)) as quick:
        yield close, quick


def review_turn(evaluator: Evaluator, quick: Evaluator, task: _Task, seed: int) -> TurnReview:
    """Look at one turn, closely with one evaluator and in glances with the other."""
    game = evaluator.game
    step, position, player, played = task
    turn = game.read_turn(played)
    weighed = evaluate_position(evaluator, position, player)
    after = turn_value(evaluator, quick, position, player, turn, weighed, seed)
    value, best = weighed.value, weighed.best
    same = position.play(best, player) == position.play(turn, player)
    if same or after >= value:
        # Looking closer at the turn played found it at least as good: then it was the best one.
        value = after = max(value, after)
        best = turn
    forced = len(position.legal_turns(player)) == 1
    mark = _mark(game, task, turn, value - after, weighed, forced=forced, seed=seed)
    reasons: list[str] = []
    if game.explainer is not None and mark:
        reasons = game.explainer.explain(position, player, None if mark == "!" else turn, best)
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
        tuple((str(each.turn), each.value) for each in weighed.candidates[:MAX_CANDIDATES]),
        tuple(reasons),
    )


def _mark(
    game: Game, task: _Task, turn: Any, lost: float, weighed: PositionEvaluation, *, forced: bool, seed: int
) -> str:
    scale, position, player = game.spec.scale, task.position, task.player
    if lost >= scale.blunder_threshold:
        return "??"
    if lost >= scale.mistake_threshold:
        return "?"
    if forced or lost > VALUE_EPSILON:
        return ""
    # Brilliant: much better than whatever else there was, and not what a weak player would have seen.
    played = position.play(turn, player)
    others = [each.value for each in weighed.candidates if position.play(each.turn, player) != played]
    if weighed.value - max(others, default=weighed.value) < scale.mistake_threshold:
        return ""
    return "" if _is_obvious(game, task, played, seed) else "!"


def _is_obvious(game: Game, task: _Task, played: Position, seed: int) -> bool:
    """Whether the weakest bot would have played the same."""
    weakest = next(iter(game.bots), None)
    if weakest is None:
        return False
    try:
        choice = choose_checked(bot(game, weakest, seed=seed), Record.from_position(game, task.position), task.player)
    except BotError:
        return False
    return bool(task.position.play(choice.turn, task.player) == played)
