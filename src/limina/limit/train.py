"""Training of the values: games against itself with a small search, learning from every position it looked into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from limina._kernel.limit import Trainer
from limina.gamekit.training import LearnerTrainer
from limina.limit.weights import VALUES

_WORK = 1500


@dataclass(frozen=True)
class _Plan:
    """What is practised."""

    sizes: tuple[int, ...]
    """The size of each game is drawn from these."""
    rate: float
    least_rate: float
    half_life: int
    """Games after which the pull of a game has halved."""
    least_tiles: int = 0
    """Nothing is learned of positions with fewer tiles: a game ends there as the search judges it."""
    by_three: float = 0.25
    """The part of the games that three play."""


_ALL = _Plan((8,) * 11 + (4, 5, 6, 7, 9, 10, 12, 14, 16), rate=1.0, least_rate=0.1, half_life=10_000)
_LARGE = _Plan((9, 10, 10, 10, 11, 12, 12, 12, 14, 16), rate=0.5, least_rate=0.03, half_life=3_000, least_tiles=34)
_LAST = 500
"""Games over which the loss is averaged."""


class _Learner:
    game = "limit"
    games_per_step = 1

    def __init__(self, plan: _Plan) -> None:
        self._plan = plan
        self._trainer = Trainer()
        self._loss = 0.0

    def load_weights(self, path: Path) -> None:
        self._trainer.begin(VALUES.read(path))

    def learn(self, seed: int, first_game: int) -> None:
        # Each game has its own source of chance, so that a run in two parts is the same as in one.
        chance = Random(f"{seed}/{first_game}")
        plan = self._plan
        players = 3 if chance.random() < plan.by_three else 2
        rate = max(plan.rate * 0.5 ** (first_game / plan.half_life), plan.least_rate)
        size, luck = chance.choice(plan.sizes), chance.getrandbits(64)
        lost = self._trainer.play(size, players, _WORK, rate, luck, plan.least_tiles)
        self._loss += (lost - self._loss) / min(first_game + 1, _LAST)

    def progress(self) -> Mapping[str, float]:
        return {"loss": self._loss}

    def state(self) -> Sequence[bytes]:
        return self._trainer.state()

    def restore(self, parts: Sequence[bytes], progress: Mapping[str, float]) -> None:
        weights, squares = parts
        self._trainer.restore(weights, squares)
        self._loss = float(progress["loss"])

    def encode(self, provenance: Mapping[str, Any]) -> bytes:
        return VALUES.encode(self._trainer.values().write(), provenance)


class LimitTrainer(LearnerTrainer):
    """Learns the values that the bots go by."""

    plans: ClassVar = {"all": partial(_Learner, _ALL), "large": partial(_Learner, _LARGE)}
