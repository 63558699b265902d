"""A hint for a turn of a running game, with the evaluation of a review."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Any

from limina.analysis.evaluation import Evaluator, Level, default_max_work, evaluate_position
from limina.analysis.review import MAX_CANDIDATES
from limina.analysis.summary import value_text
from limina.bots import Budget
from limina.core.game import Game
from limina.core.message import to_json
from limina.core.position import Position


@dataclass(frozen=True, slots=True)
class Hint:
    """A suggested turn with its value, other candidates and reasons."""

    turn: str
    value: float
    candidates: tuple[tuple[str, float], ...]
    reasons: tuple[str, ...]
    is_probability: bool
    """True if values are win probabilities, False if they are points."""

    def __str__(self) -> str:
        unit = "chance to win" if self.is_probability else "points at the end"
        suggestion = f"{self.turn} ({value_text(self.value, is_probability=self.is_probability)} {unit})"
        return "\n".join([suggestion, *(f"  {reason}" for reason in self.reasons)])

    def to_json(self) -> dict[str, Any]:
        """Return the hint as the server sends it, without the other candidates."""
        return {
            "turn": self.turn,
            "value": round(self.value, 4),
            "unit": "probability" if self.is_probability else "points",
            "reasons": [to_json(reason) for reason in self.reasons],
        }


def hint(
    game: Game,
    position: Position,
    player: int,
    *,
    level: Level | None = None,
    max_work: int | None = None,
    seed: int = 0,
) -> Hint:
    """Return a hint for a player to move. The bot gets the position as the player may see it.

    Raises LiminaError if the bot fails or reports no values.
    """
    budget = Budget(max_work=default_max_work(game, level, max_work))
    with closing(Evaluator(game, level, seed=seed, budget=budget)) as evaluator:
        evaluation = evaluate_position(evaluator, position, player)
    reasons = game.explainer.explain(position, player, None, evaluation.best) if game.explainer is not None else []
    return Hint(
        str(evaluation.best),
        evaluation.value,
        tuple((str(candidate.turn), candidate.value) for candidate in evaluation.candidates[:MAX_CANDIDATES]),
        tuple(reasons),
        game.spec.scale.is_probability,
    )
