"""Means with 95% confidence intervals, and Elo ratings from wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, inf, log, sqrt
from typing import NamedTuple

_ELO_PER_LOGIT = 400 / log(10)
_NORMAL_QUANTILE = 1.959963984540054
"""97.5% quantile of the normal distribution."""
_STUDENT_QUANTILES = (12.70620, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600)
"""97.5% quantiles of Student's distribution for 1 to 8 degrees of freedom."""
_REGULARIZATION = 1e-6
"""Pulls strengths towards the mean, so that a bot without games has one."""


class Estimate(NamedTuple):
    """A mean with its margin of error: half of the 95% interval, infinite for fewer than two values."""

    mean: float
    margin: float
    sample_size: int

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        return self.mean - self.margin

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return self.mean + self.margin


def estimate_mean(values: Sequence[float]) -> Estimate:
    """Return the mean of independent values, with Student's interval.

    >>> round(estimate_mean([1, 2, 3, 4]).margin, 3)
    2.054
    """
    count = len(values)
    if count == 0:
        return Estimate(0.0, inf, 0)
    mean = sum(values) / count
    if count == 1:
        return Estimate(mean, inf, 1)
    deviation = sqrt(sum((value - mean) ** 2 for value in values) / (count - 1))
    return Estimate(mean, student_quantile(count - 1) * deviation / sqrt(count), count)


def estimate_bounded_mean(values: Sequence[float], low: float, high: float) -> Estimate:
    """Return the mean of values within bounds, such as shares of a win.

    The interval is that of the values and one more at each bound, so that ten wins out of ten do not count as certain.

    >>> estimate_bounded_mean([1.0] * 10, 0.0, 1.0).margin > 0.1
    True
    """
    unbounded = estimate_mean(values)
    if not values:
        return unbounded
    return unbounded._replace(margin=min(high - low, estimate_mean([*values, low, high]).margin))


def student_quantile(degrees_of_freedom: int) -> float:
    """Return the 97.5% quantile of Student's distribution.

    >>> [round(student_quantile(n), 2) for n in (1, 2, 5, 10, 100)]
    [12.71, 4.3, 2.57, 2.23, 1.98]
    """
    if degrees_of_freedom <= len(_STUDENT_QUANTILES):
        return _STUDENT_QUANTILES[degrees_of_freedom - 1]
    z, n = _NORMAL_QUANTILE, degrees_of_freedom
    # Fisher's expansion around the normal distribution.
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


class Rating(NamedTuple):
    """An Elo rating with its margin of error."""

    elo: float
    margin: float


def elo_ratings(wins: Mapping[tuple[int, int], float], bots: int) -> list[Rating]:
    """Return ratings by the Bradley-Terry model, with mean 0. `wins[a, b]` counts wins of a over b; a draw counts half.

    Each two bots with games get half a win more in both directions, so that a bot that never lost has a finite rating.

    >>> both = elo_ratings({(0, 1): 75, (1, 0): 25}, 2)
    >>> round(both[0].elo - both[1].elo)
    189
    """
    pairs = {(min(pair), max(pair)) for pair, count in wins.items() if count}
    won = [[0.0] * bots for _ in range(bots)]
    for a, b in pairs:
        won[a][b] = wins.get((a, b), 0.0) + 0.5
        won[b][a] = wins.get((b, a), 0.0) + 0.5
    logits = [0.0] * bots
    # Newton's method on the log-likelihood of the logits of the strengths.
    for _ in range(100):
        gradient = [0.0] * bots
        # The constant 1 / bots makes the matrix invertible: without it, a common shift of all logits changes nothing.
        hessian = [[1 / bots + _REGULARIZATION * (a == b) for b in range(bots)] for a in range(bots)]
        for a in range(bots):
            for b in range(bots):
                games = won[a][b] + won[b][a]
                if a == b or not games:
                    continue
                probability = 1 / (1 + exp(logits[b] - logits[a]))
                gradient[a] += won[a][b] - games * probability
                hessian[a][a] += games * probability * (1 - probability)
                hessian[a][b] -= games * probability * (1 - probability)
        covariance = _inverse(hessian)
        step = [sum(covariance[a][b] * gradient[b] for b in range(bots)) for a in range(bots)]
        step_size = max(map(abs, step))
        damping = min(1.0, 2 / max(step_size, 1e-12))
        logits = [old + damping * change for old, change in zip(logits, step, strict=True)]
        if step_size < 1e-9:
            break
    mean = sum(logits) / bots
    # Subtract the constant again from the variances.
    deviations = [sqrt(max(0.0, covariance[a][a] - 1 / bots)) for a in range(bots)]
    return [
        Rating(_ELO_PER_LOGIT * (logit - mean), _ELO_PER_LOGIT * _NORMAL_QUANTILE * deviation)
        for logit, deviation in zip(logits, deviations, strict=True)
    ]


def elo_from_scores(scores: Sequence[tuple[float, float, float]]) -> Rating:
    """Return the rating of a bot from its scores against rated opponents: the opponent's Elo, wins and losses.

    Each opponent gets half a win more in both directions, as in `ratings`.

    >>> round(elo_from_scores([(100, 50, 50), (-100, 50, 50)]).elo)
    0
    """
    logit, information = 0.0, 1.0
    for _ in range(200):
        gradient, information = 0.0, _REGULARIZATION
        for elo, won, lost in scores:
            probability = 1 / (1 + exp(elo / _ELO_PER_LOGIT - logit))
            gradient += won + 0.5 - (won + lost + 1) * probability
            information += (won + lost + 1) * probability * (1 - probability)
        step = gradient / information
        logit += max(-1.0, min(1.0, step))
        if abs(step) < 1e-9:
            break
    return Rating(_ELO_PER_LOGIT * logit, _ELO_PER_LOGIT * _NORMAL_QUANTILE / sqrt(information))


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a matrix, by Gauss-Jordan elimination with partial pivoting."""
    size = len(matrix)
    rows = [[*row, *(float(n == m) for m in range(size))] for n, row in enumerate(matrix)]
    for n in range(size):
        pivot_row = max(range(n, size), key=lambda m: abs(rows[m][n]))
        rows[n], rows[pivot_row] = rows[pivot_row], rows[n]
        pivot = rows[n][n]
        rows[n] = [value / pivot for value in rows[n]]
        for m in range(size):
            if m != n and rows[m][n]:
                factor = rows[m][n]
                rows[m] = [value - factor * other for value, other in zip(rows[m], rows[n], strict=True)]
    return [row[size:] for row in rows]
