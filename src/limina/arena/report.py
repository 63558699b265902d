"""What the games of an arena say: means, paired differences and ratings, as plain values and as a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import isfinite
from typing import Any

from limina.arena.game import Played
from limina.arena.schedule import Plan
from limina.arena.statistics import Estimate, bounded, estimate, ratings


@dataclass(frozen=True)
class Pair:
    """Two bots that met, or that played the same setups alone, seen from the first."""

    first: int
    second: int
    won: int
    drawn: int
    lost: int
    share: Estimate | None
    """The difference of their shares of the win, setup by setup; none where they played alone."""
    points: Estimate | None
    """The difference of their points, setup by setup."""

    @property
    def decided(self) -> float | None:
        """The first one's part of the decided games."""
        return self.won / (self.won + self.lost) if self.won + self.lost else None


class Report:
    """The figures of a plan's games, as far as they have been played."""

    def __init__(self, plan: Plan, played: Sequence[Played]) -> None:
        self.plan = plan
        self.played = played

    @property
    def alone(self) -> bool:
        """Whether every bot played by itself."""
        return self.plan.seats == 1

    @cached_property
    def pairs(self) -> list[Pair]:
        """Every two bots that can be compared."""
        return [self._pair(a, b) for a, b in combinations(range(len(self.plan.bots)), 2)]

    def points(self, number: int) -> Estimate | None:
        """A bot's mean points, its games of one setup taken together."""
        found = defaultdict(list)
        for game in self.played:
            if game.points is not None and number in game.seats:
                found[game.setup].append(game.points[game.seats.index(number)])
        return estimate([_mean(each) for each in found.values()]) if found else None

    def share(self, number: int) -> Estimate | None:
        """A bot's mean share of the win."""
        found = defaultdict(list)
        for game in self.played:
            if number in game.seats:
                found[game.setup].append(game.shares[game.seats.index(number)])
        return bounded([_mean(each) for each in found.values()], 0, 1) if found and not self.alone else None

    def turn_seconds(self, number: int) -> float:
        """The mean time of a turn."""
        spent, turns = 0.0, 0
        for game in self.played:
            if number in game.seats:
                seat = game.seats.index(number)
                spent += game.seconds[seat]
                turns += game.asked[seat]
        return spent / turns if turns else 0.0

    def forfeits(self, number: int) -> int:
        """How many games a bot forfeited."""
        return sum(game.forfeited is not None and game.seats[game.forfeited] == number for game in self.played)

    @cached_property
    def ratings(self) -> list[tuple[int, float, float]]:
        """Bots with Elo and its half interval, best first; only for more than two."""
        if len(self.plan.bots) < 3:
            return []
        wins: dict[tuple[int, int], float] = {}
        for pair in self.pairs:
            wins[pair.first, pair.second] = pair.won + pair.drawn / 2
            wins[pair.second, pair.first] = pair.lost + pair.drawn / 2
        found = ratings(wins, len(self.plan.bots))
        return sorted(((n, each.elo, each.within) for n, each in enumerate(found)), key=lambda each: -each[1])

    def _pair(self, first: int, second: int) -> Pair:
        shares, points = defaultdict(list), defaultdict(list)
        won = drawn = lost = 0
        for mine, its, setup in self._meetings(first, second):
            if not self.alone:
                shares[setup].append(mine[0] - its[0])
            if mine[1] is not None and its[1] is not None:
                points[setup].append(mine[1] - its[1])
            ahead = (mine[1] or 0) - (its[1] or 0) if self.alone else mine[0] - its[0]
            nobody = not self.alone and mine[0] == its[0] == 0  # a third one won
            won, lost = won + (ahead > 0), lost + (ahead < 0)
            drawn += ahead == 0 and not nobody
        return Pair(
            first,
            second,
            won,
            drawn,
            lost,
            bounded([_mean(each) for each in shares.values()], -1, 1) if shares else None,
            estimate([_mean(each) for each in points.values()]) if points else None,
        )

    def _meetings(self, first: int, second: int) -> list[tuple[_Score, _Score, int]]:
        """Share and points of both, game by game; alone, the games on the same setup."""
        if not self.alone:
            return [
                (_score(game, game.seats.index(first)), _score(game, game.seats.index(second)), game.setup)
                for game in self.played
                if first in game.seats and second in game.seats
            ]
        own: dict[int, dict[int, list[_Score]]] = {first: defaultdict(list), second: defaultdict(list)}
        for game in self.played:
            if game.seats[0] in own:
                own[game.seats[0]][game.setup].append(_score(game, 0))
        return [
            (mine, its, setup)
            for setup, games in own[first].items()
            for mine, its in zip(games, own[second].get(setup, ()), strict=False)
        ]

    # --- as plain values

    def to_json(self) -> dict[str, Any]:
        """Everything, with every game's result; only the times differ between two runs with the same seed."""
        labels = self.plan.labels
        return {
            "game": self.plan.game.name,
            "seed": self.plan.seed,
            "players": self.plan.seats,
            "bots": [
                {
                    "name": labels[n],
                    "points": _estimate_json(self.points(n)),
                    "share": _estimate_json(self.share(n)),
                    "forfeits": self.forfeits(n),
                    "turn_seconds": round(self.turn_seconds(n), 6),
                }
                for n in range(len(labels))
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
                for pair in self.pairs
            ],
            "ratings": [
                {"name": labels[n], "elo": round(elo, 1), "within": round(within, 1)} for n, elo, within in self.ratings
            ],
            "games": [self._game_json(game, labels) for game in self.played],
        }

    def _game_json(self, game: Played, labels: Sequence[str]) -> dict[str, Any]:
        return {
            "index": game.index,
            "setup": game.setup,
            "seats": [labels[number] for number in game.seats],
            "winners": [seat for seat, share in enumerate(game.shares) if share > 0],
            "shares": list(game.shares),
            "points": None if game.points is None else list(game.points),
            "turns": game.turns,
            "verdict": game.verdict,
        }


_Score = tuple[float, int | None]


def _score(game: Played, seat: int) -> _Score:
    return game.shares[seat], None if game.points is None else game.points[seat]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _estimate_json(found: Estimate | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "mean": round(found.mean, 6),
        "within": round(found.within, 6) if isfinite(found.within) else None,
        "values": found.values,
    }
