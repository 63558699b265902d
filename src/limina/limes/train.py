"""Training of the weights by self-play in the kernel; all randomness comes from one seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from limina._kernel import CancelToken
from limina._kernel import limes as kernel
from limina.errors import LiminaError
from limina.gamekit.training import LearnerTrainer
from limina.limes.decks.deck import Deck
from limina.limes.weights import WEIGHTS

_TABLE_LEARNING_RATE = 1.5
"""The learning rate of the tables. Each entry also lowers its own rate as its corrections cancel out."""
_NETWORK_LEARNING_RATE = 0.001
"""The initial learning rate of the network."""
_NETWORK_HALF_LIFE_GAMES = 600_000
"""The number of games after which the learning rate of the network is half of the initial one."""
_TRACE_DECAY = 0.8
"""The lambda of TD(lambda): 1 learns from the result of the game only, 0 from the next value only."""
_EXPLORATION_RATE = 0.03
"""The share of turns that are chosen at random instead of by the weights."""
_AVERAGING_POWER = 5
"""The final weights are a mean in which step n has the weight n to this power, so mostly of the last sixth."""


class _Learner:
    game = "limes"
    games_per_step = 4_000

    def __init__(self) -> None:
        self._trainer = kernel.Trainer()
        self._mean_points = 0.0

    def load_weights(self, path: Path) -> None:
        # The learning rate of each entry depends on all its corrections, which are not in a weights file.
        raise LiminaError("training of Limes starts without weights or from a checkpoint: leave out --from")

    def learn(self, seed: int, first_game: int) -> None:
        # A seed for each step, so that a resumed training gives the same result as one without a break.
        step = first_game // self.games_per_step
        self._mean_points = self._trainer.train(
            Deck.default().cards,
            self.games_per_step,
            table_rate=_TABLE_LEARNING_RATE,
            network_step=_NETWORK_LEARNING_RATE / (1 + first_game / _NETWORK_HALF_LIFE_GAMES),
            trace_decay=_TRACE_DECAY,
            exploration_rate=_EXPLORATION_RATE,
            averaging_weight=(_AVERAGING_POWER + 1) / (_AVERAGING_POWER + 1 + step),
            seed=seed + step,
            cancel_token=CancelToken(),
        )

    def progress(self) -> Mapping[str, float]:
        return {"mean": self._mean_points}

    def state(self) -> Sequence[bytes]:
        return self._trainer.state()

    def restore(self, parts: Sequence[bytes], progress: Mapping[str, float]) -> None:
        weights, means, sums, sizes = parts
        self._trainer = kernel.Trainer.restore(weights, means, sums, sizes)
        self._mean_points = float(progress["mean"])

    def encode(self, provenance: Mapping[str, Any]) -> bytes:
        return WEIGHTS.encode(self._trainer.averaged_weights().to_bytes(), provenance)


class LimesTrainer(LearnerTrainer):
    """Trains the weights of the bots `skilled` and `master`."""

    plans: ClassVar = {"all": _Learner}
