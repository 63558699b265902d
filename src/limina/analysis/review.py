"""Review games turn by turn: the value of each turn, better turns, and the reasons."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from limina._kernel import CancelToken
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
"""Maximum number of candidates in a review."""
VALUE_EPSILON = 1e-9
FULL_WORK_TURNS = 32
"""Number of turns up to which each turn gets the default work. In longer records the turns share that work."""


@dataclass(frozen=True, slots=True)
class TurnReview:
    """The review of a turn."""

    step: int
    """Index of the turn among the record's steps."""
    number: int
    """Number of the round or turn, from 1."""
    player: int
    played: str
    best: str
    before: float
    """Value of the position for the player with the best turn."""
    after: float
    """Value of the played turn."""
    forced: bool
    """True if there was no other legal turn."""
    mark: str
    """`??` for a blunder, `?` for a mistake, `!` for a brilliant turn, else empty."""
    candidates: tuple[tuple[str, float], ...]
    """Best turns with their values."""
    reasons: tuple[str, ...]

    @property
    def loss(self) -> float:
        """Difference between the values of the best and the played turn."""
        return self.before - self.after

    def to_json(self) -> dict[str, Any]:
        """Return the review as plain values."""
        return {
            "step": self.step,
            "number": self.number,
            "player": self.player,
            "played": self.played,
            "best": self.best,
            "before": round(self.before, 4),
            "after": round(self.after, 4),
            "lost": round(self.loss, 4),
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
    """Yield the reviews of a record's turns in order, each as soon as it is finished. Closing the iterator cancels.

    `level` is the bot that evaluates, and `max_work` limits its work for each turn. With `player`, only the turns of
    that player are reviewed. Raises LiminaError if the bot cannot evaluate.
    """
    cancel_token = CancelToken()
    tasks = _tasks(record, player)
    # The default work is shared among many turns. A limit of the caller holds for each turn.
    share = _work_share(len(tasks)) if max_work is None else 1.0
    with _evaluators(record.game, level, max_work, share, seed, cancel_token):
        pass  # raises if the bot cannot be made

    def review_one_turn(task: _Task) -> TurnReview:
        # New evaluators for each turn, so that the result does not depend on the order of the reviews.
        with _evaluators(record.game, level, max_work, share, seed + task.step, cancel_token) as (deep, quick):
            return review_turn(deep, quick, task, seed + task.step)

    # Threads work in parallel, because the kernel releases the GIL during a search.
    pool = ThreadPoolExecutor(max(1, threads), thread_name_prefix="review")
    try:
        yield from pool.map(review_one_turn, tasks)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        cancel_token.cancel()
        pool.shutdown()


def evaluate_turn(record: Record, step: int, player: int, turn: str) -> float:
    """Return the value that a review would give to another turn of a player at a step of a record.

    Raises LiminaError if the turn cannot be read or is illegal.
    """
    game, position = record.game, next(islice(record.positions(), step, None))
    share = _work_share(sum(entry.player is not None for entry in record.steps))
    parsed = game.read_turn(turn)
    position.play(parsed, player)  # raises if the turn is illegal
    with _evaluators(game, None, None, share, step, CancelToken()) as (deep, quick):
        return turn_value(deep, quick, position, player, parsed, evaluate_position(deep, position, player), step)


class _Task(NamedTuple):
    """A turn to be reviewed."""

    step: int
    position: Position
    player: int
    played: str


def _tasks(record: Record, player: int | None) -> list[_Task]:
    return [
        _Task(index, position, step.player, step.text)
        for index, (step, position) in enumerate(zip(record.steps, record.positions(), strict=False))
        if step.player is not None and player in (None, step.player)
    ]


def _work_share(turns: int) -> float:
    """Return the share of the default work for each turn of a record with so many turns."""
    return min(1.0, FULL_WORK_TURNS / max(1, turns))


@contextmanager
def _evaluators(
    game: Game, level: Level | None, max_work: int | None, share: float, seed: int, cancel_token: CancelToken
) -> Iterator[tuple[Evaluator, Evaluator]]:
    """Yield an evaluator with the share of the work, and a quick one with less. Close them at the end."""

    def evaluator(work_share: float) -> Evaluator:
        budget = Budget(max_work=default_max_work(game, level, max_work, work_share), cancel_token=cancel_token)
        return Evaluator(game, level, seed=seed, budget=budget)

    with closing(evaluator(share)) as deep, closing(evaluator(share * QUICK_WORK_SHARE)) as quick:
        yield deep, quick


def review_turn(evaluator: Evaluator, quick: Evaluator, task: _Task, seed: int) -> TurnReview:
    """Return the review of a turn. The quick evaluator is for the random continuations after a turn."""
    game = evaluator.game
    step, position, player, played = task
    turn = game.read_turn(played)
    evaluation = evaluate_position(evaluator, position, player)
    after = turn_value(evaluator, quick, position, player, turn, evaluation, seed)
    value, best = evaluation.value, evaluation.best
    has_same_effect = position.play(best, player) == position.play(turn, player)
    if has_same_effect or after >= value:
        # The evaluation of the played turn may exceed that of the bot's best turn. Then the played one is the best.
        value = after = max(value, after)
        best = turn
    forced = len(position.legal_turns(player)) == 1
    mark = _mark(game, task, turn, value - after, evaluation, forced=forced, seed=seed)
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
        tuple((str(candidate.turn), candidate.value) for candidate in evaluation.candidates[:MAX_CANDIDATES]),
        tuple(reasons),
    )


def _mark(
    game: Game, task: _Task, turn: Any, loss: float, evaluation: PositionEvaluation, *, forced: bool, seed: int
) -> str:
    scale, position, player = game.spec.scale, task.position, task.player
    if loss >= scale.blunder_threshold:
        return "??"
    if loss >= scale.mistake_threshold:
        return "?"
    if forced or loss > VALUE_EPSILON:
        return ""
    # A turn is brilliant if it is much better than all others and the weakest bot would not have played it.
    after = position.play(turn, player)
    other_values = [
        candidate.value for candidate in evaluation.candidates if position.play(candidate.turn, player) != after
    ]
    if evaluation.value - max(other_values, default=evaluation.value) < scale.mistake_threshold:
        return ""
    return "" if _is_obvious(game, task, after, seed) else "!"


def _is_obvious(game: Game, task: _Task, after: Position, seed: int) -> bool:
    """Return True if the weakest bot would have played a turn with the same effect."""
    weakest = next(iter(game.bots), None)
    if weakest is None:
        return False
    try:
        choice = choose_checked(bot(game, weakest, seed=seed), Record.from_position(game, task.position), task.player)
    except BotError:
        return False
    return bool(task.position.play(choice.turn, task.player) == after)
