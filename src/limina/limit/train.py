"""Training of the values: games against itself with a small search, learning from every position it looked into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from limina._kernel.limit import Trainer
from limina.limit.values import VALUES
from limina.training import LearnerTrainer

_SIZES = (8,) * 11 + (4, 5, 6, 7, 9, 10, 12, 14, 16)
"""What is played is drawn from these: the usual size most often."""
_BY_THREE = 0.25
"""The part of the games that three play."""
_WORK = 1500
_RATE = 1.0
_LEAST_RATE = 0.1
_HALF_LIFE = 10_000
"""Games after which the pull of a game has halved."""
_LAST = 500
"""Games over which the loss is averaged."""


class _Learner:
    game = "limit"
    chunk = 1

    def __init__(self) -> None:
        self._trainer = Trainer()
        self._loss = 0.0

    def learn(self, seed: int, number: int) -> None:
        # Each game has its own source of chance, so that a run in two parts is the same as in one.
        chance = Random(f"{seed}/{number}")
        players = 3 if chance.random() < _BY_THREE else 2
        rate = max(_RATE * 0.5 ** (number / _HALF_LIFE), _LEAST_RATE)
        lost = self._trainer.play(chance.choice(_SIZES), players, _WORK, rate, chance.getrandbits(64))
        self._loss += (lost - self._loss) / min(number + 1, _LAST)

    def progress(self) -> Mapping[str, float]:
        return {"loss": self._loss}

    def state(self) -> Sequence[bytes]:
        return self._trainer.state()

    def restore(self, parts: Sequence[bytes], progress: Mapping[str, float]) -> None:
        weights, squares = parts
        self._trainer.restore(weights, squares)
        self._loss = float(progress["loss"])

    def content(self, story: Mapping[str, Any]) -> bytes:
        return VALUES.content(self._trainer.values().write(), story)


class LimitTrainer(LearnerTrainer):
    """Learns the values that the bots go by."""

    learner = _Learner
