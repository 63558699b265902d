"""What a game is, as data: the one source for the command line, the server, the page and the documentation."""

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
    """One thing to choose before a game begins.

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
    """The numbers that may be chosen."""
    load: Callable[[str], object] | None = None
    """Reads a list from the file that a command line names."""

    def describe(self) -> str:
        """Return the help text with the allowed values and the default."""
        if self.type == "flag":
            return f"yes or no: {self.help}"
        if self.allowed is not None:
            return f"{self.help}, {self.allowed[0]} to {self.allowed[-1]} ({self.default})"
        return self.help

    def parse(self, word: str) -> object:
        """The value that a word of a command line stands for."""
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
        """The value, if it is of the right type and within bounds; what a list holds is for the game to say."""
        if self.type == "flag":
            return expect_bool(value, f"option {self.name}")
        if self.type == "number":
            return expect_int(value, f"option {self.name}", self.allowed or range(10**9))
        return expect_list(value, self.name)


@dataclass(frozen=True, slots=True)
class SetupSpec:
    """The game's words for its setups: starts that many can play alike."""

    singular: str
    plural: str
    line_help: str
    """What a line of a file of setups holds."""


@dataclass(frozen=True, slots=True)
class EvaluationScale:
    """How the turns of a game are judged when it is reviewed, in the unit of its bots' values."""

    level: str | None = None
    """The bot that thinks where nobody asks for another; None for the last of the game's bots."""
    percent: bool = True
    """Whether a value is the probability to win; else it is a number of points."""
    mistake: float = 0.1
    """Giving away this much is a mistake (?), and being this much better than the rest is brilliant (!)."""
    blunder: float = 0.25
    """Giving away this much is a blunder (??)."""
    accuracy: float = 0.25
    """Giving away this much leaves 37% of a turn's accuracy."""
    work: int | None = None
    """How much that bot works on a turn, where it can be told: a review must not take as long as a game."""


@dataclass(frozen=True, slots=True)
class BenchmarkSet:
    """Setups that are the same for everybody, in `benchmark/NAME.jsonl` of the game's package."""

    name: str
    setups: int
    players: int
    """Seats at a table; 1 lets a bot play alone."""
    options: Mapping[str, Any] = field(default_factory=dict)
    opponents: tuple[str, ...] = ()
    """The bots that whoever is measured meets on each of them, in every seat."""
    training: bool = False
    """Whether it is there to learn from; nobody is measured on it."""
    exact: bool = False
    """Whether it is known of each setup how it ends with best play, and with which first turns."""


@dataclass(frozen=True, slots=True)
class BenchmarkSpec:
    """What bots of a game are measured on, and by whom."""

    ladder: tuple[str, ...]
    """Bots of rising strength; how strong each was found to be is in `benchmark/ladder.json`."""
    sets: tuple[BenchmarkSet, ...]


@dataclass(frozen=True, slots=True)
class GameSpec:
    """A game as everybody but its rules has to know it."""

    name: str
    title: str
    summary: str
    """What one does in it, in a sentence."""
    rules: str
    """The rules in a few lines, with the notation, for a player at a terminal."""
    unit: Unit
    """What a game is counted in."""
    players: range
    max_seats: int
    """How many may sit at one table of a server."""
    simultaneous: bool = False
    """Whether all players move in each round; else they move one after the other."""
    chance: Chance = "none"
    """Whether chance plays no part, lays the table before the first turn, or goes on during the game."""
    options: tuple[OptionSpec, ...] = ()
    setups: SetupSpec | None = None
    scale: EvaluationScale = field(default_factory=EvaluationScale)
    benchmark: BenchmarkSpec | None = None

    @property
    def can_take_back(self) -> bool:
        """Whether a turn can be taken back without having shown anything: nobody hides one, and chance does nothing
        after it."""
        return not self.simultaneous and self.chance != "during"

    @property
    def player_range_text(self) -> str:
        """How many can play it, in words."""
        least, most = self.players[0], self.players[-1]
        return pluralize(most, "player") if least == most else f"{least} to {most} players"

    def check_players(self, players: object) -> int:
        """The number of players, if the game can be played by so many."""
        return expect_int(players, "players", self.players)

    def check_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """A value for each option: the one given, if it is sound, else the default."""
        reject_unknown_keys(options, tuple(option.name for option in self.options), "options")
        return {
            option.name: option.validate(options[option.name]) if option.name in options else option.default
            for option in self.options
        }

    def parse_options(self, words: Mapping[str, str]) -> dict[str, Any]:
        """Options given as words of a command line, such as `size=6`, as the values that a start takes."""
        known = {option.name: option for option in self.options}
        reject_unknown_keys(words, tuple(known), "options")
        return {name: known[name].parse(word) for name, word in words.items()}
