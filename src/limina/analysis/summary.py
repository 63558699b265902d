"""A whole game looked back at: accuracies, graphs, and the par where a game has one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Any

from limina.analysis.review import TurnReview
from limina.core.capabilities import Solution
from limina.core.record import Record

BLOCKS = " ▁▂▃▄▅▆▇█"
ROWS = 6


@dataclass(frozen=True)
class Summary:
    """The reviews of a record, as many as there are yet, and what they come to."""

    record: Record
    turns: Sequence[TurnReview]
    par: Solution | None = None
    """The best game found for the same chance, known in advance."""

    def accuracy(self, player: int) -> float | None:
        """From 0 to 100: how near the player came to the best turns; None without a turn that could be chosen."""
        scale = self.record.game.spec.scale.accuracy_scale
        kept = [exp(-turn.lost / scale) for turn in self.turns if turn.player == player and not turn.forced]
        return 100 * sum(kept) / len(kept) if kept else None

    def graph(self, player: int) -> list[float]:
        """What the game was worth to the player before the first turn and after each."""
        mine = [turn for turn in self.turns if turn.player == player]
        return [mine[0].before, *(turn.after for turn in mine)] if mine else []

    def marks(self, player: int, mark: str) -> int:
        """How many turns of a player have a mark."""
        return sum(turn.mark == mark for turn in self.turns if turn.player == player)

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        players = range(len(self.record.names))
        return {
            "game": self.record.game.name,
            "unit": "probability" if self.record.game.spec.scale.is_probability else "points",
            "players": [
                {
                    "name": self.record.names[player],
                    "accuracy": _rounded(self.accuracy(player)),
                    "brilliant": self.marks(player, "!"),
                    "mistakes": self.marks(player, "?"),
                    "blunders": self.marks(player, "??"),
                    "graph": [round(value, 4) for value in self.graph(player)],
                }
                for player in players
            ],
            "par": None if self.par is None else self.par.total,
            "bound": None if self.par is None else self.par.bound,
            "turns": [turn.to_json() for turn in self.turns],
        }


def find_par(record: Record) -> Solution | None:
    """The best game for the record's chance, where the game knows a par."""
    solver = record.game.solver
    if solver is None or not solver.can_solve(record.start, record.chance_steps):
        return None
    return solver.solve(record.start, record.chance_steps)


def value_text(value: float, *, percent: bool) -> str:
    """A value as people read it.

    >>> value_text(0.614, percent=True), value_text(41.26, percent=False)
    ('61%', '41.3')
    """
    return f"{100 * value:.0f}%" if percent else f"{value:.1f}"


def draw(values: Sequence[float], *, percent: bool, rows: int = ROWS) -> str:
    """A graph of values for a terminal, a column each.

    >>> print(draw([0.0, 0.5, 1.0], percent=True, rows=2))
    100% ┤  █
      0% ┤▁██
    """
    low, high = (0.0, 1.0) if percent else (min(values), max(values))
    labels = [value_text(high, percent=percent), value_text(low, percent=percent)]
    wide = max(map(len, labels))
    if high - low < 1e-9:
        high = low + 1.0
    # The lowest value still gets a line to stand on.
    heights = [max(1, round((value - low) / (high - low) * rows * 8)) for value in values]
    lines = []
    for row in range(rows - 1, -1, -1):
        label = labels[0] if row == rows - 1 else labels[1] if row == 0 else ""
        bars = "".join(BLOCKS[min(8, max(0, height - 8 * row))] for height in heights)
        lines.append(f"{label.rjust(wide)} ┤{bars}".rstrip())
    return "\n".join(lines)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
