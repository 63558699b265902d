"""The specification of a game as data, for the command line, the server, the page and the documentation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from limina.core.validation import expect_bool, expect_int, expect_list, pluralize, reject_unknown_keys
from limina.errors import InvalidInputError

OptionType = Literal["flag", "number", "list"]
Unit = Literal["round", "turn"]
Chance = Literal["none", "setup", "during"]


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """An option that is chosen before a game begins.

    >>> size = OptionSpec("size", "number", "tiles of each color", default=8, allowed=range(4, 17))
    >>> size.describe()
    'tiles of each color, 4 to 16 (8)'
    >>> size.parse("5"), size.validate(6)
    (5, 6)
    """

    name: str
    type: OptionType
    help: str
    default: bool | int | None = None
    allowed: range | None = None
    """Numbers that an option of the type `number` accepts."""
    load: Callable[[str], object] | None = None
    """Reads the value of an option of the type `list` from a file. It gets the word of the command line."""

    def describe(self) -> str:
        """Return the help text with the allowed values and the default."""
        if self.type == "flag":
            return f"yes or no: {self.help}"
        if self.allowed is not None:
            return f"{self.help}, {self.allowed[0]} to {self.allowed[-1]} ({self.default})"
        return self.help

    def parse(self, word: str) -> object:
        """Return the value of a word of the command line. Raises InvalidInputError if it is not one."""
        if self.type == "flag":
            if word not in ("yes", "no"):
                raise InvalidInputError(f"option {self.name} must be yes or no")
            return word == "yes"
        if self.type == "number":
            if not word.isdecimal() or len(word) > 9:
                between = f" from {self.allowed[0]} to {self.allowed[-1]}" if self.allowed is not None else ""
                raise InvalidInputError(f"option {self.name} must be a number{between}")
            return int(word)
        if self.load is None:
            raise InvalidInputError(f"option {self.name} cannot be given on a command line")
        return self.load(word)

    def validate(self, value: object) -> Any:
        """Return the value if its type is right and it is within bounds, else raise InvalidInputError.

        The game checks what a list contains.
        """
        if self.type == "flag":
            return expect_bool(value, f"option {self.name}")
        if self.type == "number":
            return expect_int(value, f"option {self.name}", self.allowed or range(10**9))
        return expect_list(value, self.name)


@dataclass(frozen=True, slots=True)
class SetupSpec:
    """Names of the game for its setups, which are starts that several games can share."""

    singular: str
    plural: str
    line_help: str
    """Contents of a line in a file of setups, for help texts."""


@dataclass(frozen=True, slots=True)
class EvaluationScale:
    """Thresholds for reviews of a game, in the unit of the values that its bots report."""

    default_bot: str | None = None
    """Name of the bot that evaluates unless the caller names one. None means the strongest bot of the game."""
    is_probability: bool = True
    """True if values are win probabilities, False if they are points."""
    mistake_threshold: float = 0.1
    """Loss from which a turn is a mistake (?), and the minimum lead of a brilliant turn (!) over all others."""
    blunder_threshold: float = 0.25
    """Loss from which a turn is a blunder (??)."""
    accuracy_scale: float = 0.25
    """Loss that leaves a turn an accuracy of 1/e (37%)."""
    default_max_work: int | None = None
    """Work limit of the default bot for a turn, so that a review takes less time than the game. None for no limit."""


@dataclass(frozen=True, slots=True)
class BenchmarkSet:
    """A fixed set of setups, in `benchmark/NAME.jsonl` of the game's package."""

    name: str
    setup_count: int
    players: int
    """Seats in each game. With 1, the bot plays alone."""
    options: Mapping[str, Any] = field(default_factory=dict)
    opponents: tuple[str, ...] = ()
    """Bots that the measured bot plays against, on each setup and in every seat."""
    is_training: bool = False
    """True for a set to learn from, on which no bot is measured."""
    is_solved: bool = False
    """True if the result of best play and the first turns that reach it are known for each setup."""


@dataclass(frozen=True, slots=True)
class BenchmarkSpec:
    """The benchmark of a game: sets of setups, and a ladder of bots to compare with."""

    ladder: tuple[str, ...]
    """Names of bots from weak to strong. Their measured ratings are in `benchmark/ladder.json`."""
    sets: tuple[BenchmarkSet, ...]


@dataclass(frozen=True, slots=True)
class GameSpec:
    """The specification of a game: everything about it except its rules."""

    name: str
    """Name in commands and records."""
    title: str
    """Name for people."""
    summary: str
    """Sentence about what the players do."""
    rules: str
    """The rules and the notation in a few lines, for a player at a terminal."""
    unit: Unit
    """Unit of `Position.progress`."""
    players: range
    """Numbers of players that can play it."""
    max_seats: int
    """Highest number of seats in a match on a server."""
    simultaneous: bool = False
    """True if all players move in each round, False if they take turns."""
    chance: Chance = "none"
    """Role of chance: "none", "setup" (only before the first turn) or "during" (also between turns)."""
    options: tuple[OptionSpec, ...] = ()
    setups: SetupSpec | None = None
    """Names of its setups, or None if it cannot be set up from a file."""
    scale: EvaluationScale = field(default_factory=EvaluationScale)
    benchmark: BenchmarkSpec | None = None

    @property
    def can_take_back(self) -> bool:
        """True if a taken-back turn reveals nothing: no turns are hidden, and no chance follows them."""
        return not self.simultaneous and self.chance != "during"

    @property
    def player_range_text(self) -> str:
        """Number of players for a sentence, such as `2 to 4 players`."""
        lowest, highest = self.players[0], self.players[-1]
        return pluralize(highest, "player") if lowest == highest else f"{lowest} to {highest} players"

    def check_players(self, players: object) -> int:
        """Return the number of players if so many can play the game, else raise InvalidInputError."""
        return expect_int(players, "players", self.players)

    def check_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return a value for each option: the given one, or the default. Raises InvalidInputError for invalid ones."""
        reject_unknown_keys(options, tuple(option.name for option in self.options), "options")
        return {
            option.name: option.validate(options[option.name]) if option.name in options else option.default
            for option in self.options
        }

    def parse_options(self, words: Mapping[str, str]) -> dict[str, Any]:
        """Return the values of options from the command line, such as `{"size": "6"}`, as `Game.start` takes them."""
        known = {option.name: option for option in self.options}
        reject_unknown_keys(words, tuple(known), "options")
        return {name: known[name].parse(word) for name, word in words.items()}
