"""What a game keeps to. All of it is generic over the game's own positions (P) and turns (T).

A game is its specification (`GameSpec`, data), its rules (`Game` and `Position`), a face for pages (`Presenter`) and
whatever else it declares that it can do: count points, explain turns, be solved for par, be trained, read decks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeVar

from limina.check import a_list, a_number, a_text, an_object, only_keys
from limina.errors import IllegalTurnError, UnreadableError
from limina.lessons import Lesson
from limina.spec import GameSpec

if TYPE_CHECKING:
    from limina._kernel import Stop

T = TypeVar("T")
P = TypeVar("P", bound="Position")
P_contra = TypeVar("P_contra", bound="Position", contravariant=True)
T_contra = TypeVar("T_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: all who win or share the win, and why, in a sentence."""

    winners: tuple[int, ...]
    reason: str


class Step(NamedTuple):
    """One entry of a record: what a player did, or (player None) what chance did."""

    player: int | None
    text: str


MOVER = -1
"""Stands for the player in a step where only one can move and the record does not say who."""


class LocatedStep(NamedTuple):
    """A step with the words that say where in the record it stands."""

    step: Step
    place: str


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

    def text(self, *, colour: bool = False, player: int | None = None) -> str:
        """A drawing for the terminal, with the words a player needs."""

    def svg(self, *, theme: str = "light", player: int | None = None) -> str:
        """A drawing as an SVG document."""

    def _repr_svg_(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Setup(Generic[P]):
    """A start that many can play alike: the same tiles, or the same cards in the same order."""

    start: P
    deal: tuple[Step, ...] = ()
    """What chance will do."""


# --- what only some games can do


class Scoring(Protocol[P_contra]):
    """Counts points."""

    def points(self, position: P_contra) -> tuple[int, ...]:
        """Every player's points."""


class Explainer(Protocol[P_contra, T_contra]):
    """Says in words why turns are good or bad."""

    def explain(self, position: P_contra, player: int, played: T_contra | None, best: T_contra) -> list[str]:
        """Why the best turn is better than the one played (if one was), in sentences."""


class Solution(Protocol):
    """The best game that was found for a deal."""

    @property
    def total(self) -> int:
        """The points it reaches."""

    @property
    def start(self) -> Position:
        """Where it begins."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The whole game."""

    @property
    def effort(self) -> str:
        """How hard it was looked for, in words."""

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""


class Solver(Protocol[P_contra]):
    """Finds par: how well a game could go if all that chance does were known in advance."""

    def can_solve(self, start: P_contra, deal: Sequence[Step]) -> bool:
        """Whether this is a whole deal."""

    def solve(
        self,
        start: P_contra,
        deal: Sequence[Step],
        *,
        budget: int | None = None,
        seconds: float | None = None,
        stop: Stop | None = None,
    ) -> Solution:
        """The best game found for a start and its deal; LiminaError if this is not a whole deal."""


class Trainer(Protocol):
    """Learns what the bots of a game know, by playing."""

    def train(
        self,
        *,
        seed: int,
        minutes: float,
        out: Path,
        checkpoint: Path | None,
        say: Callable[[str], None],
        games: int | None = None,
    ) -> None:
        """Play and learn, and write what was learned to `out`."""


class DeckTrial(Protocol):
    """Bots who play with a deck."""

    def play(self, number: int, stop: Stop) -> Any:
        """What they score on one of many deals; LiminaError if they were stopped."""

    def words(self, played: Sequence[Any]) -> str:
        """What was played, summed up."""


class Deck(Protocol):
    """A deck of cards."""

    @property
    def faces(self) -> tuple[str, ...]:
        """Its cards as they are written, card 1 first."""

    @property
    def name(self) -> str:
        """What it is called, if anything."""

    def text(self, *, colour: bool = False) -> str:
        """Its cards, statistics and oddities for a terminal."""

    def svg(self, *, theme: str = "light") -> str:
        """A picture of its cards."""

    def warnings(self) -> list[str]:
        """What is allowed but probably not meant."""

    def with_face(self, number: int, face: str) -> Deck:
        """The deck with another face on one of its cards; LiminaError says what is wrong with it."""

    def with_turned(self, number: int) -> Deck:
        """The deck with one of its cards a quarter turned."""

    def renamed(self, name: str) -> Deck:
        """The deck under another name."""

    def to_toml(self) -> str:
        """The deck as the text of a file."""

    def trial(self, seed: int = 0) -> DeckTrial:
        """Bots who play it on random deals."""


class DeckLoader(Protocol):
    """Reads and makes the decks of a game that is played with cards."""

    def load(self, path: str | Path) -> Deck:
        """The deck in a file; LiminaError says what is wrong with it."""

    def template(self, name: str = "") -> Deck:
        """A deck to fill in."""

    def random(self, rng: Random, name: str = "") -> Deck:
        """A deck made by chance."""


@dataclass(frozen=True, slots=True)
class PieceSize:
    """What of a game is printed at a chosen size, and which sizes there are, in millimetres."""

    name: str
    usual: float
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class PrintOrder:
    """How a game is to be printed; lengths in millimetres."""

    paper: str
    size: float
    bleed: float
    language: str


class Printer(Protocol):
    """Makes the sheets from which a game can be cut out."""

    @property
    def size(self) -> PieceSize:
        """What is printed at a chosen size."""

    def pdf(self, order: PrintOrder, options: Mapping[str, Any]) -> bytes:
        """The sheets of a game with these options, one for each that its spec names."""


class TableGuide(Protocol[P_contra]):
    """Helps to lay out a start on a real table."""

    def words(self, position: P_contra) -> str:
        """What lies where, as a list that can be followed."""


class Sizes(NamedTuple):
    """How large the numbers are in which a game is told to programs that learn."""

    actions: int
    """How many clicks there are; the last one is the pass."""
    planes: tuple[int, int, int]
    """Pictures of the board: how many, rows, columns."""
    vector: int
    """What else there is to know."""
    packed: int
    """Words of 64 bits that hold the same in little room."""
    highest: int
    """No number in planes and vector is higher."""


class KernelBatch(Protocol):
    """Games side by side in the kernel. Arrays are the caller's; a row is a game, or a seat where all move at once."""

    @property
    def rows(self) -> int:
        """How many clicks a step takes."""

    def attach(
        self,
        *,
        planes: Any = None,
        vector: Any = None,
        mask: Any = None,
        packed: Any = None,
        rewards: Any = None,
        ended: Any = None,
        player: Any = None,
    ) -> None:
        """Where to write from now on."""

    def reset(self, seeds: Any, which: Any = None) -> None:
        """Begin games anew, each from a seed: all, or those chosen."""

    def step(self, actions: Any) -> None:
        """One click in each row."""

    def play(self, turns: Any) -> None:
        """A whole turn in each row, by its number."""

    def sample(self, actions: Any) -> None:
        """Write a random legal click for each row."""

    def observe(self) -> None:
        """Write what can be seen, once more."""


class Encoding(Protocol[P, T_contra]):
    """How a game is told to programs that learn by playing: in clicks and numbers."""

    def sizes(self, **options: Any) -> Sizes:
        """The sizes of a game with these options."""

    def batch(
        self,
        games: int,
        *,
        players: int,
        threads: int = 1,
        illegal_reward: float = -1.0,
        autoreset: int = 1,
        **options: Any,
    ) -> Any:
        """A `KernelBatch` of so many games; `autoreset` is 0 (never), 1 (with the next step) or 2 (at once)."""

    def begin(self, batch: Any, game: int, setup: object) -> None:
        """Begin a game of a batch from a setup: a list, or a line of a file of setups."""

    def position(self, batch: Any, game: int, **options: Any) -> P:
        """Where a game of a batch with these options stands, as far as turns are made."""

    def set(self, batch: Any, game: int, position: P) -> None:
        """Begin a game of a batch at a position at which somebody is to move."""

    def after(self, batch: Any, game: int, before: P, ended: bool) -> P | None:
        """Where a game that was set to `before` stands, without what chance did since; None while turns are made."""

    def chance_actions(self, position: P, samples: int) -> list[int]:
        """All that chance may do, by numbers; where that is more than can be listed, so many samples."""

    def chance_step(self, position: P, action: int) -> Step:
        """What chance does by that number."""

    def code(self, position: P, turn: T_contra) -> int:
        """The number by which a batch plays a turn."""

    def clicks(self, position: P, player: int, turn: T_contra) -> list[int]:
        """The clicks that make up a turn."""

    def unpack(self, packed: Any, **options: Any) -> tuple[Any, Any, Any]:
        """Planes, vector and mask of packed observations."""


class Tutor(Protocol):
    """Teaches a game, one thing after another."""

    def lessons(self) -> Sequence[Lesson]:
        """The lessons in the order they are taken."""


class Presenter(Protocol[P_contra]):
    """What a page is told of a position: plain values only, ready for JSON."""

    @property
    def types(self) -> Mapping[str, Any]:
        """The types of what `view`, `legal` and `preview` give, under these names."""

    def view(self, position: P_contra, before: P_contra | None = None) -> Mapping[str, Any]:
        """What everybody may see. With the position before it, parts that are the same may be left out."""

    def legal(self, position: P_contra, player: int) -> Mapping[str, Any]:
        """Every legal turn of a player, in few words."""

    def preview(self, position: P_contra, player: int, turn: str) -> Mapping[str, Any]:
        """What a turn, or its first part, would lead to."""

    def scores(self, position: P_contra) -> list[int]:
        """One number for each player: how well they are doing."""


# --- the game


class Game(Protocol[P, T]):
    """The rules under one name. A game that inherits from this gets a plain record format."""

    @property
    def spec(self) -> GameSpec:
        """What the game is, as data."""

    @property
    def name(self) -> str:
        """Its name, as commands and records write it."""
        return self.spec.name

    @property
    def title(self) -> str:
        """Its name, as people write it."""
        return self.spec.title

    def start(self, players: int = ..., **options: Any) -> P:
        """The position before anything has happened, also before chance has laid the table."""

    def read_turn(self, text: str) -> T:
        """Read a turn from the notation."""

    @property
    def bots(self) -> Mapping[str, Callable[..., Any]]:
        """Its bots by name, weakest first: each makes a `limina.bot.Bot` when called with `seed` and `threads`."""
        return {}

    # --- chance

    def deal(self, start: P, rng: Random) -> tuple[Step, ...]:
        """As much of what chance will do in one game as can be said in advance, whatever the players do."""
        return ()

    def setup(self, rng: Random, players: int, **options: Any) -> Setup[P]:
        """A setup from a source of chance."""
        start = self.start(players, **options)
        return Setup(start, self.deal(start, rng))

    def read_setup(self, line: str, players: int, **options: Any) -> Setup[P]:
        """A setup from a line of a file."""
        raise UnreadableError(f"{self.title} is not set up from a file")

    # --- records

    def options_of(self, start: P) -> dict[str, Any]:
        """The options that a start was made with, as a record keeps them."""
        return {}

    def pack(self, start: P, steps: Iterable[Step]) -> dict[str, Any]:
        """The game's own part of a record's JSON object."""
        return {"options": self.options_of(start), "steps": [[step.player, step.text] for step in steps]}

    def unpack(self, data: Mapping[str, Any], players: int) -> tuple[P, list[LocatedStep]]:
        """The start and the steps of a record's JSON object."""
        options = an_object(data.get("options", {}), "options")
        only_keys(options, tuple(option.name for option in self.spec.options), "options")
        start = self.start(players, **options)
        steps = []
        for number, entry in enumerate(a_list(data.get("steps", []), "steps"), 1):
            place = f"step {number}"
            pair = a_list(entry, place)
            if len(pair) != 2:
                raise UnreadableError(f"{place} must be a player (null for chance) and a text")
            player = None if pair[0] is None else a_number(pair[0], f"{place}: the player", range(players))
            steps.append(LocatedStep(Step(player, a_text(pair[1], place)), place))
        return start, steps

    # --- what it can do besides; None where it cannot

    @property
    def presenter(self) -> Presenter[P] | None:
        """How pages are told of it; without one, `limina.presenter` shows its drawing and its turns."""
        return None

    @property
    def scoring(self) -> Scoring[P] | None:
        """How its points are counted, where it counts points."""
        return None

    @property
    def explainer(self) -> Explainer[P, T] | None:
        """Who explains its turns."""
        return None

    @property
    def solver(self) -> Solver[P] | None:
        """Who finds par."""
        return None

    @property
    def trainer(self) -> Trainer | None:
        """How the values of its bots are learned."""
        return None

    @property
    def tutor(self) -> Tutor | None:
        """Who teaches it."""
        return None

    @property
    def decks(self) -> DeckLoader | None:
        """How its decks are read."""
        return None

    @property
    def encoding(self) -> Encoding[P, T] | None:
        """How it is told to programs that learn by playing."""
        return None

    @property
    def printer(self) -> Printer | None:
        """How it is printed, to be cut out and played."""
        return None

    @property
    def table_guide(self) -> TableGuide[P] | None:
        """How its starts are laid out on a real table."""
        return None


def the_mover(position: Position, player: int | None) -> int:
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
