"""Training of the values: games against itself in the kernel, with all their luck from one seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from limina._kernel import Stop
from limina._kernel import limes as kernel
from limina.errors import LiminaError
from limina.gamekit.training import LearnerTrainer
from limina.limes.decks.deck import Deck
from limina.limes.weights import VALUES

_TABLES = 1.5
"""The pace of the tables. Each entry slows down by itself as its corrections begin to cancel out."""
_NETWORK, _SLOWING = 0.001, 600_000
"""The network's first step, and the games after which it is halved."""
_TRACE = 0.8
"""How much of a correction comes from the end of the game, and how much from the next value."""
_EXPLORE = 0.03
"""How often any turn is played instead of the best one by the values so far."""

_RECENT = 5
"""The weights after each chunk count in the mean with the number of the chunk to this power: mostly the last sixth."""


class _Learner:
    game = "limes"
    games_per_step = 4_000

    def __init__(self) -> None:
        self._training = kernel.Trainer()
        self._mean = 0.0

    def load_weights(self, path: Path) -> None:
        # Each weight's pace follows from all corrections it has had, which values do not hold.
        raise LiminaError("Limes learns from nothing or goes on from a checkpoint: leave out --from")

    def learn(self, seed: int, first_game: int) -> None:
        # Every step has its own luck, so that a run in two parts is the same as in one.
        step = first_game // self.games_per_step
        self._mean = self._training.run(
            Deck.default().cards,
            self.games_per_step,
            tables=_TABLES,
            network=_NETWORK / (1 + first_game / _SLOWING),
            trace=_TRACE,
            explore=_EXPLORE,
            recent=(_RECENT + 1) / (_RECENT + 1 + step),
            seed=seed + step,
            stop=Stop(),
        )

    def progress(self) -> Mapping[str, float]:
        return {"mean": self._mean}

    def state(self) -> Sequence[bytes]:
        return self._training.state()

    def restore(self, parts: Sequence[bytes], progress: Mapping[str, float]) -> None:
        weights, means, sums, sizes = parts
        self._training = kernel.Trainer.restored(weights, means, sums, sizes)
        self._mean = float(progress["mean"])

    def encode(self, provenance: Mapping[str, Any]) -> bytes:
        return VALUES.encode(self._training.values().write(), provenance)


class LimesTrainer(LearnerTrainer):
    """Learns the values that the bots go by."""

    plans: ClassVar = {"all": _Learner}
