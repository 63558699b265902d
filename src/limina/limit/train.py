"""Training of the weights by self-play with a small search. It learns from the positions that the search visits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from limina._kernel.limit import Trainer
from limina.gamekit.training import LearnerTrainer
from limina.limit.weights import WEIGHTS

_WORK_PER_TURN = 1500


@dataclass(frozen=True)
class _Plan:
    """Parameters of a training run."""

    sizes: tuple[int, ...]
    """Sizes from which that of each game is drawn."""
    learning_rate: float
    """Learning rate of the first game."""
    min_learning_rate: float
    half_life: int
    """Number of games after which the learning rate has halved."""
    min_tiles: int = 0
    """Games end when fewer tiles remain, with the value of the search as their result."""
    three_player_share: float = 0.25
    """Share of the games with three players."""


_ALL = _Plan((8,) * 11 + (4, 5, 6, 7, 9, 10, 12, 14, 16), learning_rate=1.0, min_learning_rate=0.1, half_life=10_000)
_LARGE = _Plan(
    (9, 10, 10, 10, 11, 12, 12, 12, 14, 16),
    learning_rate=0.5,
    min_learning_rate=0.03,
    half_life=3_000,
    min_tiles=34,
)
_LOSS_WINDOW_GAMES = 500
"""Number of games over which the loss is averaged."""


class _Learner:
    game = "limit"
    games_per_step = 1

    def __init__(self, plan: _Plan) -> None:
        self._plan = plan
        self._trainer = Trainer()
        self._loss = 0.0

    def load_weights(self, path: Path) -> None:
        self._trainer.start_from(WEIGHTS.read(path))

    def learn(self, seed: int, first_game: int) -> None:
        # Each game has its own random numbers, so that a resumed run learns the same as an uninterrupted one.
        rng = Random(f"{seed}/{first_game}")
        plan = self._plan
        players = 3 if rng.random() < plan.three_player_share else 2
        rate = max(plan.learning_rate * 0.5 ** (first_game / plan.half_life), plan.min_learning_rate)
        size, game_seed = rng.choice(plan.sizes), rng.getrandbits(64)
        loss = self._trainer.play_game(size, players, _WORK_PER_TURN, rate, game_seed, plan.min_tiles)
        self._loss += (loss - self._loss) / min(first_game + 1, _LOSS_WINDOW_GAMES)

    def progress(self) -> Mapping[str, float]:
        return {"loss": self._loss}

    def state(self) -> Sequence[bytes]:
        return self._trainer.state()

    def restore(self, parts: Sequence[bytes], progress: Mapping[str, float]) -> None:
        weights, squares = parts
        self._trainer.restore(weights, squares)
        self._loss = float(progress["loss"])

    def encode(self, provenance: Mapping[str, Any]) -> bytes:
        return WEIGHTS.encode(self._trainer.weights().to_bytes(), provenance)


class LimitTrainer(LearnerTrainer):
    """Trains the weights of the bots' evaluation."""

    plans: ClassVar = {"all": partial(_Learner, _ALL), "large": partial(_Learner, _LARGE)}
