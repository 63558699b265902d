"""Results of an arena: means, paired differences and ratings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import isfinite
from typing import Any

from limina.arena.game import GameResult
from limina.arena.schedule import ArenaPlan
from limina.arena.statistics import Estimate, elo_ratings, estimate_bounded_mean, estimate_mean


@dataclass(frozen=True)
class BotComparison:
    """A comparison of two bots that played together, or alone on the same setups, from the view of the first."""

    first: int
    second: int
    won: int
    drawn: int
    lost: int
    share: Estimate | None
    """Difference of their shares of the win, paired by setup. None if they played alone."""
    points: Estimate | None
    """Difference of their points, paired by setup."""

    @property
    def decided(self) -> float | None:
        """Share of the decided games that the first bot won."""
        return self.won / (self.won + self.lost) if self.won + self.lost else None


class ArenaReport:
    """Statistics of the finished games of a plan."""

    def __init__(self, plan: ArenaPlan, results: Sequence[GameResult]) -> None:
        self.plan = plan
        self.results = results

    @property
    def is_solo(self) -> bool:
        """True if each bot played alone."""
        return self.plan.seat_count == 1

    @cached_property
    def comparisons(self) -> list[BotComparison]:
        """A comparison of every two bots."""
        return [self._pair(a, b) for a, b in combinations(range(len(self.plan.bots)), 2)]

    def mean_points(self, bot_index: int) -> Estimate | None:
        """Return the mean points of a bot, averaged over the games of each setup first."""
        points_by_setup = defaultdict(list)
        for result in self.results:
            if result.points is not None and bot_index in result.seats:
                points_by_setup[result.setup].append(result.points[result.seats.index(bot_index)])
        return estimate_mean([_mean(points) for points in points_by_setup.values()]) if points_by_setup else None

    def mean_share(self, bot_index: int) -> Estimate | None:
        """Return the mean share of the win of a bot, or None if the bots played alone."""
        if self.is_solo:
            return None
        shares_by_setup = defaultdict(list)
        for result in self.results:
            if bot_index in result.seats:
                shares_by_setup[result.setup].append(result.shares[result.seats.index(bot_index)])
        return (
            estimate_bounded_mean([_mean(shares) for shares in shares_by_setup.values()], 0, 1)
            if shares_by_setup
            else None
        )

    def mean_turn_seconds(self, bot_index: int) -> float:
        """Return the mean time of a turn of a bot."""
        seconds, turns = 0.0, 0
        for result in self.results:
            if bot_index in result.seats:
                seat = result.seats.index(bot_index)
                seconds += result.seconds[seat]
                turns += result.turn_counts[seat]
        return seconds / turns if turns else 0.0

    def forfeit_count(self, bot_index: int) -> int:
        """Return the number of games that a bot forfeited."""
        return sum(
            result.forfeited_seat is not None and result.seats[result.forfeited_seat] == bot_index
            for result in self.results
        )

    @cached_property
    def ratings(self) -> list[tuple[int, float, float]]:
        """Index, Elo and margin of each bot, best first. Empty for fewer than three bots."""
        if len(self.plan.bots) < 3:
            return []
        wins: dict[tuple[int, int], float] = {}
        for pair in self.comparisons:
            wins[pair.first, pair.second] = pair.won + pair.drawn / 2
            wins[pair.second, pair.first] = pair.lost + pair.drawn / 2
        rated = enumerate(elo_ratings(wins, len(self.plan.bots)))
        return sorted(((index, rating.elo, rating.margin) for index, rating in rated), key=lambda entry: -entry[1])

    def _pair(self, first: int, second: int) -> BotComparison:
        shares, points = defaultdict(list), defaultdict(list)
        won = drawn = lost = 0
        for (own_share, own_points), (other_share, other_points), setup in self._meetings(first, second):
            if not self.is_solo:
                shares[setup].append(own_share - other_share)
            if own_points is not None and other_points is not None:
                points[setup].append(own_points - other_points)
            lead = (own_points or 0) - (other_points or 0) if self.is_solo else own_share - other_share
            third_won = not self.is_solo and own_share == other_share == 0
            won, lost = won + (lead > 0), lost + (lead < 0)
            drawn += lead == 0 and not third_won
        return BotComparison(
            first,
            second,
            won,
            drawn,
            lost,
            estimate_bounded_mean([_mean(differences) for differences in shares.values()], -1, 1) if shares else None,
            estimate_mean([_mean(differences) for differences in points.values()]) if points else None,
        )

    def _meetings(self, first: int, second: int) -> list[tuple[_Score, _Score, int]]:
        """Return the scores of both bots and the setup, for each game of both, or each setup if they played alone."""
        if not self.is_solo:
            return [
                (_score(result, result.seats.index(first)), _score(result, result.seats.index(second)), result.setup)
                for result in self.results
                if first in result.seats and second in result.seats
            ]
        scores: dict[int, dict[int, list[_Score]]] = {first: defaultdict(list), second: defaultdict(list)}
        for result in self.results:
            if result.seats[0] in scores:
                scores[result.seats[0]][result.setup].append(_score(result, 0))
        return [
            (own, other, setup)
            for setup, own_scores in scores[first].items()
            for own, other in zip(own_scores, scores[second].get(setup, ()), strict=False)
        ]

    # --- output

    def to_json(self) -> dict[str, Any]:
        """Return all statistics and results as plain values. Only the times depend on the run."""
        labels = self.plan.labels
        return {
            "game": self.plan.game.name,
            "seed": self.plan.seed,
            "players": self.plan.seat_count,
            "bots": [
                {
                    "name": label,
                    "points": _estimate_json(self.mean_points(index)),
                    "share": _estimate_json(self.mean_share(index)),
                    "forfeits": self.forfeit_count(index),
                    "turn_seconds": round(self.mean_turn_seconds(index), 6),
                }
                for index, label in enumerate(labels)
            ],
            "pairs": [
                {
                    "bots": [labels[pair.first], labels[pair.second]],
                    "won": pair.won,
                    "drawn": pair.drawn,
                    "lost": pair.lost,
                    "decided": pair.decided,
                    "share_difference": _estimate_json(pair.share),
                    "points_difference": _estimate_json(pair.points),
                }
                for pair in self.comparisons
            ],
            "ratings": [
                {"name": labels[index], "elo": round(elo, 1), "within": round(margin, 1)}
                for index, elo, margin in self.ratings
            ],
            "games": [self._result_json(result, labels) for result in self.results],
        }

    def _result_json(self, result: GameResult, labels: Sequence[str]) -> dict[str, Any]:
        return {
            "index": result.index,
            "setup": result.setup,
            "seats": [labels[bot_index] for bot_index in result.seats],
            "winners": [seat for seat, share in enumerate(result.shares) if share > 0],
            "shares": list(result.shares),
            "points": None if result.points is None else list(result.points),
            "turns": result.turns,
            "verdict": result.verdict,
        }


_Score = tuple[float, int | None]
"""Share of the win and points."""


def _score(result: GameResult, seat: int) -> _Score:
    return result.shares[seat], None if result.points is None else result.points[seat]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _estimate_json(value: Estimate | None) -> dict[str, Any] | None:
    if value is None:
        return None
    return {
        "mean": round(value.mean, 6),
        "within": round(value.margin, 6) if isfinite(value.margin) else None,
        "values": value.sample_size,
    }
