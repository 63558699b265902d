"""A hint for one turn of a running game, by the same look that a review takes."""

from __future__ import annotations

from dataclasses import dataclass

from limina.analysis.review import SHOWN
from limina.analysis.summary import value_text
from limina.analysis.thinking import Level, thinker, weigh
from limina.protocols import Game, Position


@dataclass(frozen=True, slots=True)
class Hint:
    """What a thinker would play, what it expects of it, and why."""

    turn: str
    value: float
    candidates: tuple[tuple[str, float], ...]
    reasons: tuple[str, ...]
    percent: bool

    def __str__(self) -> str:
        expects = "chance to win" if self.percent else "points at the end"
        said = f"{self.turn} ({value_text(self.value, percent=self.percent)} {expects})"
        return "\n".join([said, *(f"  {reason}" for reason in self.reasons)])


def hint(
    game: Game, position: Position, player: int, *, level: Level | None = None, work: int | None = None, seed: int = 0
) -> Hint:
    """What to play here. It sees only what the player may see."""
    weighed = weigh(thinker(game, level, seed=seed, work=work), position, player)
    return Hint(
        str(weighed.best),
        weighed.value,
        tuple((str(each.turn), each.value) for each in weighed.candidates[:SHOWN]),
        tuple(game.explain(position, player, None, weighed.best)),
        game.scale.percent,
    )
