"""A hint for one turn of a running game, by the same look that a review takes."""

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
    """What a bot would play, what it expects of it, and why."""

    turn: str
    value: float
    candidates: tuple[tuple[str, float], ...]
    reasons: tuple[str, ...]
    percent: bool

    def __str__(self) -> str:
        expects = "chance to win" if self.percent else "points at the end"
        said = f"{self.turn} ({value_text(self.value, percent=self.percent)} {expects})"
        return "\n".join([said, *(f"  {reason}" for reason in self.reasons)])

    def to_json(self) -> dict[str, Any]:
        """Return the hint as the server sends it, without the other candidates."""
        return {
            "turn": self.turn,
            "value": round(self.value, 4),
            "unit": "probability" if self.percent else "points",
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
    """What to play here. It sees only what the player may see."""
    budget = Budget(max_work=default_max_work(game, level, max_work))
    with closing(Evaluator(game, level, seed=seed, budget=budget)) as evaluator:
        weighed = evaluate_position(evaluator, position, player)
    reasons = game.explainer.explain(position, player, None, weighed.best) if game.explainer is not None else []
    return Hint(
        str(weighed.best),
        weighed.value,
        tuple((str(each.turn), each.value) for each in weighed.candidates[:MAX_CANDIDATES]),
        tuple(reasons),
        game.spec.scale.is_probability,
    )
