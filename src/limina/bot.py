"""What a bot is. One method is enough to be one; those that can say what they thought have two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

from limina.protocols import Position


@runtime_checkable
class Bot(Protocol):
    """Anything that can choose a turn."""

    def choose(self, position: Any, player: int) -> object:
        """One of the legal turns of the player in this position, as such or in the notation."""


class Candidate(NamedTuple):
    """A turn that was looked at, and what it is thought to be worth."""

    turn: object
    value: float
    """Expected final points, or the chance to win: the game says which."""


@dataclass(frozen=True, slots=True)
class Thought:
    """A choice and why it was made."""

    turn: object
    value: float
    candidates: tuple[Candidate, ...] = ()
    """Best first; at least the chosen one."""
    work: int = 0
    """Rollouts or nodes: what the search is bounded by."""


@runtime_checkable
class Thinker(Bot, Protocol):
    """A bot that can say what it thought."""

    def think(self, position: Any, player: int) -> Thought:
        """The choice with its reasons."""


class BotFactory(Protocol):
    """Makes a bot; the same seed and number of threads make the same choices."""

    def __call__(self, *, seed: int = 0, threads: int = 1) -> Bot:
        """A new bot."""


def random_bot(*, seed: int = 0, threads: int = 1) -> Bot:
    """A bot that plays any legal turn, all with the same chance."""
    return _RandomBot(seed)


class _RandomBot:
    def __init__(self, seed: int) -> None:
        # Not at the top: most programs that import limina never play at random.
        from random import Random

        self._chance = Random(seed)

    def choose(self, position: Position, player: int) -> object:
        return self._chance.choice(position.legal_turns(player))
