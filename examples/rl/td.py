"""Temporal differences on afterstates of Limes alone, in numpy: tables of numbers, one core.

    python examples/rl/td.py --seconds 600 --seed 1 --out td-1.json

A turn is judged by what it gains at once and by what the display after it is still worth. That worth is a sum: a
display comes to some forty features, each with a number in a table, one table for each round. The numbers are learned
from games that are played by them, from the last round to the first: a display was worth what the rest of the game
brought, the next rounds counted as they went and the later ones as they were expected to go, TD(lambda).
"""

from __future__ import annotations

import argparse

import numpy as np
from curve import Curve
from numpy.typing import NDArray

import limina.rl

ROUNDS, TURNS = 16, 32  # TURNS: how many are looked at, those that gain most at once
GAMES = 64  # side by side
LAMBDA = 0.7
RATE = 0.03  # of the first steps; it falls to nothing

Numbers = NDArray[np.float32]
Features = NDArray[np.int16]


class Tables:
    """What displays are worth, by the cards that lie: the last feature is the filling of short lists, worth nothing."""

    def __init__(self, features: int) -> None:
        self.worth = np.zeros((ROUNDS, features + 1), np.float32)
        self.slopes = np.zeros_like(self.worth)  # means of late, as Adam keeps them
        self.squares = np.zeros_like(self.worth)
        self.updates = np.zeros(ROUNDS)

    def of(self, cards: int, features: Features) -> Numbers:
        """What displays with so many cards are still worth: nothing when all of them lie."""
        return self.worth[cards].take(features).sum(-1) if cards < ROUNDS else np.zeros(features.shape[:-1], np.float32)

    def learn(self, cards: int, features: Features, errors: Numbers, rate: float) -> None:
        """Bring the features of some displays nearer to what those were worth: a step of Adam."""
        size = self.worth.shape[1]
        slope = np.bincount(features.ravel(), np.repeat(errors, features.shape[1]), size) / len(errors)
        slope[-1] = 0
        self.updates[cards] += 1
        self.slopes[cards] += 0.1 * (slope - self.slopes[cards])
        self.squares[cards] += 0.001 * (slope**2 - self.squares[cards])
        mean = self.slopes[cards] / (1 - 0.9 ** self.updates[cards])
        square = self.squares[cards] / (1 - 0.999 ** self.updates[cards])
        self.worth[cards] += rate * mean / (np.sqrt(square) + 1e-6)


def game(batch: limina.rl.Batch, tables: Tables) -> tuple[list[Features], Numbers]:
    """One whole game in each row, played by the tables: the features after each turn, and what each turn gained."""
    rows = np.arange(batch.n)
    features, gains = [], []
    for cards in range(1, ROUNDS + 1):
        found = batch.afterstates(TURNS)
        most = int((found.features != batch.n_features).any((0, 1)).sum())  # lists are filled up at their ends
        worth = found.gains + tables.of(cards, found.features[..., :most])
        worth[np.arange(TURNS) >= found.found[:, None]] = -np.inf
        best = worth.argmax(1)
        features.append(found.features[rows, best, :most])
        gains.append(found.gains[rows, best])
        batch.play(found.turns[rows, best])
    return features, np.stack(gains)


def learn(tables: Tables, features: list[Features], gains: Numbers, rate: float) -> None:
    """From the last round to the first."""
    after = np.zeros(gains.shape[1], np.float32)
    for turn in reversed(range(ROUNDS - 1)):
        cards = turn + 1
        expected = tables.of(cards + 1, features[turn + 1])
        after = gains[turn + 1] + LAMBDA * after + (1 - LAMBDA) * expected
        tables.learn(cards, features[turn], after - tables.of(cards, features[turn]), rate)


def evaluate(tables: Tables, games: int = 1024, seed: int = 12345) -> Numbers:
    """The totals of games that were not learned from."""
    batch = limina.rl.batch("limes", games, packed=True)
    batch.reset(seed=seed)
    return np.asarray(game(batch, tables)[1].sum(0))


def main() -> None:
    """Learn for so many seconds, and write how well it plays as it goes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600, help="of processor time, without the looks at how well")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", help="the curve, as JSON")
    asked = parser.parse_args()
    batch = limina.rl.batch("limes", GAMES, packed=True)
    batch.reset(seed=asked.seed)
    tables = Tables(batch.n_features)
    curve = Curve("td", asked.seed, asked.seconds, asked.out)
    turns = 0
    while curve.goes_on(turns, lambda: evaluate(tables)):
        learn(tables, *game(batch, tables), RATE * (1 - curve.share))
        turns += ROUNDS * GAMES


if __name__ == "__main__":
    main()
