"""The summary of a reviewed game: accuracies, graphs, and par if the game has one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Any

from limina.analysis.review import TurnReview
from limina.core.capabilities import Solution
from limina.core.record import Record

_BLOCKS = " ▁▂▃▄▅▆▇█"
_GRAPH_ROWS = 6


@dataclass(frozen=True)
class ReviewSummary:
    """The reviews of a record, of all turns or of those that are finished, and statistics of them."""

    record: Record
    turns: Sequence[TurnReview]
    par: Solution | None = None
    """The best game found for the same chance steps."""

    def accuracy(self, player: int) -> float | None:
        """Return the accuracy of a player's turns from 0 to 100, or None if no turn left them a choice."""
        scale = self.record.game.spec.scale.accuracy_scale
        accuracies = [exp(-turn.loss / scale) for turn in self.turns if turn.player == player and not turn.forced]
        return 100 * sum(accuracies) / len(accuracies) if accuracies else None

    def graph(self, player: int) -> list[float]:
        """Return the player's values: before their first turn and after each turn."""
        turns = [turn for turn in self.turns if turn.player == player]
        return [turns[0].before, *(turn.after for turn in turns)] if turns else []

    def count_marks(self, player: int, mark: str) -> int:
        """Return the number of a player's turns with a mark."""
        return sum(turn.mark == mark for turn in self.turns if turn.player == player)

    def to_json(self) -> dict[str, Any]:
        """Return the summary as plain values."""
        players = range(len(self.record.names))
        return {
            "game": self.record.game.name,
            "unit": "probability" if self.record.game.spec.scale.is_probability else "points",
            "players": [
                {
                    "name": self.record.names[player],
                    "accuracy": _rounded(self.accuracy(player)),
                    "brilliant": self.count_marks(player, "!"),
                    "mistakes": self.count_marks(player, "?"),
                    "blunders": self.count_marks(player, "??"),
                    "graph": [round(value, 4) for value in self.graph(player)],
                }
                for player in players
            ],
            "par": None if self.par is None else self.par.total,
            "bound": None if self.par is None else self.par.bound,
            "turns": [turn.to_json() for turn in self.turns],
        }


def find_par(record: Record) -> Solution | None:
    """Return the best game found for the record's chance steps, or None if the game or the record has no par."""
    solver = record.game.solver
    if solver is None or not solver.is_complete_deal(record.start, record.chance_steps):
        return None
    return solver.solve(record.start, record.chance_steps)


def value_text(value: float, *, is_probability: bool) -> str:
    """Return a value as text for people.

    >>> value_text(0.614, is_probability=True), value_text(41.26, is_probability=False)
    ('61%', '41.3')
    """
    return f"{100 * value:.0f}%" if is_probability else f"{value:.1f}"


def draw_graph(values: Sequence[float], *, is_probability: bool, rows: int = _GRAPH_ROWS) -> str:
    """Return a graph for a terminal, with a column for each value.

    >>> print(draw_graph([0.0, 0.5, 1.0], is_probability=True, rows=2))
    100% ┤  █
      0% ┤▁██
    """
    low, high = (0.0, 1.0) if is_probability else (min(values), max(values))
    labels = [value_text(high, is_probability=is_probability), value_text(low, is_probability=is_probability)]
    label_width = max(map(len, labels))
    if high - low < 1e-9:
        high = low + 1.0
    # Even the lowest value has a visible bar.
    heights = [max(1, round((value - low) / (high - low) * rows * 8)) for value in values]
    lines = []
    for row in range(rows - 1, -1, -1):
        label = labels[0] if row == rows - 1 else labels[1] if row == 0 else ""
        bars = "".join(_BLOCKS[min(8, max(0, height - 8 * row))] for height in heights)
        lines.append(f"{label.rjust(label_width)} ┤{bars}".rstrip())
    return "\n".join(lines)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
