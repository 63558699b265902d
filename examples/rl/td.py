"""TD(lambda) on afterstates of Limes for one player, in numpy: lookup tables, one core.

    python examples/rl/td.py --seconds 600 --seed 1 --out td-1.json

The value of a turn is its immediate gain plus the value of the display after it. The value of a display is a sum over
its forty or so active features, whose values are in a table for each round. They are learned by self-play, from the
last round to the first. The target of a display is the gain in the rest of the game: measured in the next rounds and
estimated after them, with weights by lambda.
"""

from __future__ import annotations

import argparse

import numpy as np
from curve import Curve
from numpy.typing import NDArray

import limina.rl

ROUNDS = 16
TURNS = 32
"""Number of turns that are evaluated: those with the highest immediate gains."""
GAMES = 64
"""Number of games in the batch."""
LAMBDA = 0.7
LEARNING_RATE = 0.03
"""Learning rate of the first steps. It falls to 0."""

Numbers = NDArray[np.float32]
Features = NDArray[np.int16]


class Tables:
    """The values of features by round, with Adam's moments. The last feature is the padding of lists, with value 0."""

    def __init__(self, features: int) -> None:
        self.values = np.zeros((ROUNDS, features + 1), np.float32)
        self.first_moments = np.zeros_like(self.values)
        self.second_moments = np.zeros_like(self.values)
        self.updates = np.zeros(ROUNDS)

    def evaluate(self, cards: int, features: Features) -> Numbers:
        """Return the values of displays with so many cards. With all cards, they are 0."""
        if cards == ROUNDS:
            return np.zeros(features.shape[:-1], np.float32)
        return self.values[cards].take(features).sum(-1)

    def update(self, cards: int, features: Features, errors: Numbers, learning_rate: float) -> None:
        """Move the values of displays towards their targets, by a step of Adam."""
        size = self.values.shape[1]
        gradient = np.bincount(features.ravel(), np.repeat(errors, features.shape[1]), size) / len(errors)
        gradient[-1] = 0
        self.updates[cards] += 1
        self.first_moments[cards] += 0.1 * (gradient - self.first_moments[cards])
        self.second_moments[cards] += 0.001 * (gradient**2 - self.second_moments[cards])
        mean = self.first_moments[cards] / (1 - 0.9 ** self.updates[cards])
        square = self.second_moments[cards] / (1 - 0.999 ** self.updates[cards])
        self.values[cards] += learning_rate * mean / (np.sqrt(square) + 1e-6)


def play(batch: limina.rl.Batch, tables: Tables) -> tuple[list[Features], Numbers]:
    """Play a game in each row, greedily by the tables. Returns the features after each turn and its gain."""
    rows = np.arange(batch.n)
    features, gains = [], []
    for cards in range(1, ROUNDS + 1):
        afterstates = batch.afterstates(TURNS)
        max_length = int((afterstates.features != batch.n_features).any((0, 1)).sum())  # the rest is padding
        values = afterstates.gains + tables.evaluate(cards, afterstates.features[..., :max_length])
        values[np.arange(TURNS) >= afterstates.counts[:, None]] = -np.inf
        best = values.argmax(1)
        features.append(afterstates.features[rows, best, :max_length])
        gains.append(afterstates.gains[rows, best])
        batch.play(afterstates.turns[rows, best])
    return features, np.stack(gains)


def learn(tables: Tables, features: list[Features], gains: Numbers, learning_rate: float) -> None:
    """Learn from played games, from the last round to the first."""
    target = np.zeros(gains.shape[1], np.float32)
    for turn in reversed(range(ROUNDS - 1)):
        cards = turn + 1
        estimate = tables.evaluate(cards + 1, features[turn + 1])
        target = gains[turn + 1] + LAMBDA * target + (1 - LAMBDA) * estimate
        tables.update(cards, features[turn], target - tables.evaluate(cards, features[turn]), learning_rate)


def evaluate(tables: Tables, games: int = 1024, seed: int = 12345) -> Numbers:
    """Return the totals of games that are not used for learning."""
    batch = limina.rl.batch("limes", games, packed=True)
    batch.reset(seed=seed)
    return np.asarray(play(batch, tables)[1].sum(0))


def main() -> None:
    """Learn for some seconds, and write the learning curve."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600, help="processor time for learning, without evaluations")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", help="JSON file for the learning curve")
    arguments = parser.parse_args()
    batch = limina.rl.batch("limes", GAMES, packed=True)
    batch.reset(seed=arguments.seed)
    tables = Tables(batch.n_features)
    curve = Curve("td", arguments.seed, arguments.seconds, arguments.out)
    turns = 0
    while curve.continues(turns, lambda: evaluate(tables)):
        learn(tables, *play(batch, tables), LEARNING_RATE * (1 - curve.progress))
        turns += ROUNDS * GAMES


if __name__ == "__main__":
    main()
