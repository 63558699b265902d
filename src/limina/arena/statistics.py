"""Means with their 95% intervals, and ratings out of wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, inf, log, sqrt
from typing import NamedTuple

ELO = 400 / log(10)
_Z = 1.959963984540054
_STUDENT = (12.70620, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600)


TINY = 1e-6
"""Pulls every strength to the mean, just enough that a bot which met nobody has one."""


class Estimate(NamedTuple):
    """A mean and the half width of its 95% interval; infinite where one value says nothing about others."""

    mean: float
    within: float
    values: int

    @property
    def low(self) -> float:
        """The lower end."""
        return self.mean - self.within

    @property
    def high(self) -> float:
        """The upper end."""
        return self.mean + self.within


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of independent values, with Student's interval.

    >>> round(estimate([1, 2, 3, 4]).within, 3)
    2.054
    """
    count = len(values)
    if count == 0:
        return Estimate(0.0, inf, 0)
    mean = sum(values) / count
    if count == 1:
        return Estimate(mean, inf, 1)
    spread = sqrt(sum((value - mean) ** 2 for value in values) / (count - 1))
    return Estimate(mean, student(count - 1) * spread / sqrt(count), count)


def bounded(values: Sequence[float], low: float, high: float) -> Estimate:
    """The mean of values that have ends, such as shares of a win.

    One value at each end is added for the interval, so that ten wins out of ten are not taken for certainty.

    >>> bounded([1.0] * 10, 0.0, 1.0).within > 0.1
    True
    """
    found = estimate(values)
    return found._replace(within=min(high - low, estimate([*values, low, high]).within)) if values else found


def student(freedom: int) -> float:
    """Student's factor for 95%, two-sided.

    >>> [round(student(n), 2) for n in (1, 2, 5, 10, 100)]
    [12.71, 4.3, 2.57, 2.23, 1.98]
    """
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    z, n = _Z, freedom
    # Fisher's expansion around the normal distribution.
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


class Rating(NamedTuple):
    """A bot's strength on Elo's scale, where the mean of all is 0, and the half width of its 95% interval."""

    elo: float
    within: float


def ratings(wins: Mapping[tuple[int, int], float], bots: int) -> list[Rating]:
    """Bradley and Terry's ratings: `wins[a, b]` is how often a beat b, with a half for each draw.

    Half a win is added either way for each pair that met, so that a bot which never lost has a rating at all.

    >>> both = ratings({(0, 1): 75, (1, 0): 25}, 2)
    >>> round(both[0].elo - both[1].elo)
    189
    """
    met = {(min(pair), max(pair)) for pair, times in wins.items() if times}
    won = [[0.0] * bots for _ in range(bots)]
    for a, b in met:
        won[a][b] = wins.get((a, b), 0.0) + 0.5
        won[b][a] = wins.get((b, a), 0.0) + 0.5
    strength = [0.0] * bots
    # Newton's steps on the logarithms of the strengths; the added wins keep the curve well bent.
    for _ in range(100):
        pull, bend = [0.0] * bots, [[1 / bots + TINY * (a == b) for b in range(bots)] for a in range(bots)]
        for a in range(bots):
            for b in range(bots):
                games = won[a][b] + won[b][a]
                if a == b or not games:
                    continue
                chance = 1 / (1 + exp(strength[b] - strength[a]))
                pull[a] += won[a][b] - games * chance
                bend[a][a] += games * chance * (1 - chance)
                bend[a][b] -= games * chance * (1 - chance)
        spread = _inverse(bend)
        step = [sum(spread[a][b] * pull[b] for b in range(bots)) for a in range(bots)]
        longest = max(map(abs, step))
        strength = [
            old + min(1.0, 2 / max(longest, 1e-12)) * change for old, change in zip(strength, step, strict=True)
        ]
        if longest < 1e-9:
            break
    middle = sum(strength) / bots
    # The constant that made the matrix invertible is taken out again.
    return [
        Rating(ELO * (strength[a] - middle), ELO * _Z * sqrt(max(0.0, spread[a][a] - 1 / bots))) for a in range(bots)
    ]


def against(met: Sequence[tuple[float, float, float]]) -> Rating:
    """The rating of one who met others whose Elo is known: for each of them their Elo, the wins and the losses.

    Half a win is added either way for each of them, as in `ratings`.

    >>> round(against([(100, 50, 50), (-100, 50, 50)]).elo)
    0
    """
    strength, bend = 0.0, 1.0
    for _ in range(200):
        pull, bend = 0.0, TINY
        for elo, won, lost in met:
            chance = 1 / (1 + exp(elo / ELO - strength))
            pull += won + 0.5 - (won + lost + 1) * chance
            bend += (won + lost + 1) * chance * (1 - chance)
        step = pull / bend
        strength += max(-1.0, min(1.0, step))
        if abs(step) < 1e-9:
            break
    return Rating(ELO * strength, ELO * _Z / sqrt(bend))


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    size = len(matrix)
    rows = [[*row, *(float(n == m) for m in range(size))] for n, row in enumerate(matrix)]
    for n in range(size):
        best = max(range(n, size), key=lambda m: abs(rows[m][n]))
        rows[n], rows[best] = rows[best], rows[n]
        head = rows[n][n]
        rows[n] = [value / head for value in rows[n]]
        for m in range(size):
            if m != n and rows[m][n]:
                factor = rows[m][n]
                rows[m] = [mine - factor * its for mine, its in zip(rows[m], rows[n], strict=True)]
    return [row[size:] for row in rows]
