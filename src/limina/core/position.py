"""Where a game stands, what is done to it, and how it ends: what every game and whatever it can do is told in.

All of it is generic over the game's own positions (P) and turns (T).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

from limina.errors import IllegalTurnError

T = TypeVar("T")
P = TypeVar("P", bound="Position")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: all who win or share the win, and why, in a sentence."""

    winners: tuple[int, ...]
    reason: str


class Step(NamedTuple):
    """One entry of a record: what a player did, or (player None) what chance did."""

    player: int | None
    text: str


IMPLICIT_PLAYER = -1
"""Stands for the player in a step where only one can move and the record does not say who."""


class ParsedStep(NamedTuple):
    """A step with the words that say where in the record it stands."""

    step: Step
    location: str


class Position(Protocol[T]):
    """Where a game stands. A value: hashable, comparable, never changed."""

    @property
    def players(self) -> int:
        """The number of players."""

    @property
    def to_move(self) -> tuple[int, ...]:
        """The players who may play a turn now; empty while chance is awaited and when the game is over."""

    @property
    def awaits_chance(self) -> bool:
        """Whether chance has to do its part before anyone can play."""

    @property
    def progress(self) -> int:
        """How many rounds, or turns, are complete."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def chance(self, rng: Random) -> Step:
        """What chance does next, drawn from the given source."""

    def legal_turns(self, player: int | None = None) -> Sequence[T]:
        """Every legal turn of a player, or of the one to move; empty if it is not their turn."""

    def play(self, turn: T | str, player: int | None = None) -> Self:
        """Play a turn, given as such or in the notation, for a player or for the one to move."""

    def apply(self, step: Step) -> Self:
        """Do what a step says, whoever made it: a player, chance or a record."""

    def summary(self, names: Sequence[str]) -> dict[str, Any]:
        """Where the game stands, as plain values."""

    def text(self, *, color: bool = False, player: int | None = None) -> str:
        """A drawing for the terminal, with the words a player needs."""

    def svg(self, *, theme: str = "light", player: int | None = None) -> str:
        """A drawing as an SVG document."""

    def _repr_svg_(self) -> str: ...


class ImmutablePositionMixin:
    """What positions may inherit: one that never changes is its own copy, and it is shown as it is drawn."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def _repr_svg_(self: Position[Any]) -> str:
        return self.svg()

    def __str__(self: Position[Any]) -> str:
        return self.text()


@dataclass(frozen=True, slots=True)
class Setup(Generic[P]):
    """A start that many can play alike: the same tiles, or the same cards in the same order."""

    start: P
    deal: tuple[Step, ...] = ()
    """What chance will do."""


def resolve_player(position: Position, player: int | None) -> int:
    """The player meant, or the only one who can be meant."""
    if player is None:
        if len(position.to_move) == 1:
            return position.to_move[0]
        if position.outcome is not None:
            raise IllegalTurnError("the game is over")
        if position.awaits_chance:
            raise IllegalTurnError("nobody can move before chance has done its part")
        raise IllegalTurnError("several players may move now: say which one")
    if not 0 <= player < position.players:
        raise IllegalTurnError(f"there is no player {player + 1} in this game of {position.players}")
    return player
