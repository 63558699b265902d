"""Positions, steps and outcomes: the types in which all games are described.

They are generic over a game's own positions (P) and turns (T).
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
    """The end of a game: the players who win or share the win, and the reason as a sentence."""

    winners: tuple[int, ...]
    reason: str


class Step(NamedTuple):
    """An entry of a record in the game's notation: a player's turn, or a chance step if the player is None."""

    player: int | None
    text: str


IMPLICIT_PLAYER = -1
"""Stands for the player of a step if the record omits it. Only one player can be to move there."""


class ParsedStep(NamedTuple):
    """A step with its location in the record, for error messages."""

    step: Step
    location: str


class Position(Protocol[T]):
    """The state of a game. Positions are immutable, hashable and comparable; every step returns a new one.

    >>> import random, limina
    >>> position = limina.game("limit").start(players=2)
    >>> position.awaits_chance  # the tiles are laid out first
    True
    >>> position = position.apply(position.draw_chance_step(random.Random(1)))
    >>> position.to_move
    (0,)
    >>> position = position.play(position.legal_turns()[0])
    >>> position.progress, position.to_move
    (1, (1,))
    """

    @property
    def players(self) -> int:
        """Number of players."""

    @property
    def to_move(self) -> tuple[int, ...]:
        """Players who may play a turn now. Empty while the position awaits chance and after the end."""

    @property
    def awaits_chance(self) -> bool:
        """True if a chance step has to come next."""

    @property
    def progress(self) -> int:
        """Number of complete rounds or turns; `GameSpec.unit` says which."""

    @property
    def outcome(self) -> Outcome | None:
        """Outcome of the game, or None while it goes on."""

    def draw_chance_step(self, rng: Random) -> Step:
        """Draw the next chance step."""

    def legal_turns(self, player: int | None = None) -> Sequence[T]:
        """Return all legal turns of a player; without one, those of the only player to move.

        The sequence is empty if it is not that player's turn.
        """

    def play(self, turn: T | str, player: int | None = None) -> Self:
        """Return the position after a turn, given as such or in the notation.

        Without a player, the only player to move plays it. Raises InvalidInputError if the turn cannot be read, and
        IllegalTurnError if it is not legal.
        """

    def apply(self, step: Step) -> Self:
        """Return the position after a step of a player or of chance. Raises LiminaError like `play`."""

    def summary(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the state as plain values, with the players' names."""

    def text(self, *, color: bool = False, player: int | None = None) -> str:
        """Return a drawing for the terminal. With a player, it shows that player's view."""

    def svg(self, *, theme: str = "light", player: int | None = None) -> str:
        """Return a drawing as an SVG document. With a player, it shows that player's view."""

    def _repr_svg_(self) -> str: ...


class ImmutablePositionMixin:
    """A base for positions: copies are the position itself, and `str` and notebooks show its drawing."""

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
    """An initial position with its chance steps, so that several games can begin alike."""

    start: P
    deal: tuple[Step, ...] = ()
    """Chance steps in the order in which they happen."""


def resolve_player(position: Position, player: int | None) -> int:
    """Return the player, or the only player to move if it is None.

    Raises IllegalTurnError if there is no such player or more than one.
    """
    if player is None:
        if len(position.to_move) == 1:
            return position.to_move[0]
        if position.outcome is not None:
            raise IllegalTurnError("the game is over")
        if position.awaits_chance:
            raise IllegalTurnError("no player can move now: a chance step comes first")
        raise IllegalTurnError("several players may move now: say which one")
    if not 0 <= player < position.players:
        raise IllegalTurnError(f"there is no player {player + 1} in this game of {position.players}")
    return player
