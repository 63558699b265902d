"""What both games have in common: the few protocols they keep, outcomes, and the two ways to be wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, Protocol, Self, runtime_checkable


class LiminaError(ValueError):
    """Something a player or a file got wrong, said in one sentence."""


class UnreadableError(LiminaError):
    """The text is not in the notation at all."""


class IllegalTurnError(LiminaError):
    """The turn can be read, but the rules do not allow it here."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: all who win or share the win, and why, in a sentence."""

    winners: tuple[int, ...]
    reason: str


WHOEVER_MOVES = -1
"""Stands for the player in a step of a game where only one can move."""


class Step(NamedTuple):
    """One entry of a record: what a player did, or (player None) what chance did."""

    player: int | None
    text: str


class Placed(NamedTuple):
    """A step with the words that say where in the record it stands."""

    step: Step
    place: str


@runtime_checkable
class Position(Protocol):
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

    def chance(self, source: Random) -> Self:
        """Let the given source of chance do its part."""

    def legal_turns(self, player: int | None = None) -> Sequence[object]:
        """Every legal turn of a player, or of the one to move; empty if it is not their turn."""

    def play(self, turn: Any, player: int | None = None) -> Self:
        """Play a turn, given as such or in the notation, for a player or for the one to move."""

    def replay(self, step: Step) -> Self:
        """Do what a step of a record says."""

    def last_chance(self) -> str:
        """What chance did last, as a record keeps it."""

    def summary(self, names: Sequence[str]) -> dict[str, Any]:
        """Where the game stands, as plain values."""

    def text(self, *, colour: bool = False, player: int | None = None) -> str:
        """A drawing for the terminal, with the words a player needs."""

    def svg(self, *, theme: str = "light", player: int | None = None) -> str:
        """A drawing as an SVG document."""

    def _repr_svg_(self) -> str: ...


class Setup(NamedTuple):
    """A start that many can play alike: the same tiles, or the same cards in the same order."""

    start: Position
    chance: tuple[str, ...] = ()
    """What chance will do, step by step, as a record keeps it."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How the turns of a game are judged when it is reviewed, in the unit of its bots' values."""

    level: str
    """The bot that thinks where nobody asks for another."""
    percent: bool
    """Whether a value is a chance to win; else it is a number of points."""
    mistake: float
    """Giving away this much is a mistake (?), and being this much better than the rest is brilliant (!)."""
    blunder: float
    """Giving away this much is a blunder (??)."""
    accuracy: float
    """Giving away this much leaves 37% of a turn's accuracy."""
    work: int | None = None
    """How much that bot works on a turn, where it can be told: a review must not take as long as a game."""


class Game(Protocol):
    """The rules under one name: how to begin, and how records of it are written."""

    name: str
    title: str
    rules: str
    """The rules in a few lines, with the notation, for a player at a terminal."""
    unit: str
    """What a game is counted in: rounds or turns."""
    turn_by_turn: bool
    """Whether players move one after the other; else all of them move in each round."""
    player_counts: range
    option_help: Mapping[str, str]
    setup_word: str
    """What a file of setups holds, in a word: deals or layouts."""
    scale: Scale

    @property
    def bots(self) -> Mapping[str, Any]:
        """Its bots by name, weakest first: each makes a bot when called with `seed` and `threads`."""

    def start(self, players: int = ..., *, chance: Random | None = None, **options: Any) -> Position:
        """The position before the first turn; chance lays what is laid at random."""

    def options(self, words: Mapping[str, str]) -> dict[str, Any]:
        """Options given as words (of a command line) as the values that `start` takes."""

    def read_turn(self, text: str) -> object:
        """Read a turn from the notation."""

    def unpack(self, data: Mapping[str, Any], players: int) -> tuple[Position, list[Placed]]:
        """The start and the steps of a record's JSON object."""

    def pack(self, start: Position, steps: Iterable[Step]) -> dict[str, Any]:
        """The game's own part of a record's JSON object."""

    def read_setup(self, line: str, players: int, **options: Any) -> Setup:
        """A setup from a line of a file."""

    def deal_setup(self, chance: Random, players: int, **options: Any) -> Setup:
        """A setup from a source of chance."""

    def points(self, position: Position) -> tuple[int, ...] | None:
        """Every player's points, where the game counts points."""

    def worth(self, position: Position, player: int) -> float:
        """What a finished game is worth to a player, in the unit of the bots' values."""

    def explain(self, position: Position, player: int, played: object | None, best: object) -> list[str]:
        """Why the best turn is better than the one played (if one was), in sentences."""


class Deck(Protocol):
    """A deck of cards, for the games that are played with one."""

    def text(self, *, colour: bool = False) -> str:
        """Its cards, statistics and oddities for a terminal."""

    def svg(self, *, theme: str = "light") -> str:
        """A picture of its cards."""


def the_mover(position: Position, player: int | None) -> int:
    """The player meant, or the only one who can be meant."""
    if player is None:
        if len(position.to_move) == 1:
            return position.to_move[0]
        if position.outcome is not None:
            raise IllegalTurnError("the game is over")
        if position.awaits_chance:
            raise IllegalTurnError("no card has been drawn for this round")
        raise IllegalTurnError("several players may move now: say which one")
    if not 0 <= player < position.players:
        raise IllegalTurnError(f"there is no player {player + 1} in this game of {position.players}")
    return player
