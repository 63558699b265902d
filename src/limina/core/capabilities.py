"""What only some games can do: count points, explain turns, be solved for par, be trained, read decks, be printed ...

A game declares each as a property of `limina.Game` that is None until it says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from limina.core.lessons import Lesson
from limina.core.position import P, Position, Step

if TYPE_CHECKING:
    from limina._kernel import Stop

P_contra = TypeVar("P_contra", bound=Position, contravariant=True)
P_co = TypeVar("P_co", bound=Position, covariant=True)
T_contra = TypeVar("T_contra", contravariant=True)


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
    def bound(self) -> int:
        """Points that no game with this deal exceeds, as far as that is proven."""

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
        max_work: int | None = None,
        max_seconds: float | None = None,
        cancel_token: Stop | None = None,
    ) -> Solution:
        """The best game found for a start and its deal; LiminaError if this is not a whole deal."""


class Trainer(Protocol):
    """Learns what the bots of a game know, by playing."""

    @property
    def plans(self) -> Collection[str]:
        """What can be practised, by name; what is usual comes first."""

    def train(
        self,
        *,
        seed: int,
        minutes: float,
        out: Path,
        checkpoint: Path | None,
        report: Callable[[str], None],
        games: int | None = None,
        plan: str | None = None,
        initial_weights: Path | None = None,
    ) -> None:
        """Play and learn, and write what was learned to `out`."""


class DeckTrial(Protocol):
    """Bots who play with a deck."""

    def play(self, deal_index: int, cancel_token: Stop) -> Mapping[str, Sequence[int]]:
        """What each of them scores on one of many deals, with the deck and, if that is another, with the usual one.

        LiminaError if they were stopped.
        """

    def summarize(self, played: Sequence[Mapping[str, Sequence[int]]]) -> str:
        """What was played, summed up."""


class Deck(Protocol):
    """A deck of cards."""

    @property
    def faces(self) -> tuple[str, ...]:
        """Its cards as they are written, card 1 first."""

    @property
    def name(self) -> str:
        """What it is called, if anything."""

    @property
    def id(self) -> str:
        """24 letters, digits, `-` and `_` that follow from the game and the faces: other faces have another id."""

    def text(self, *, color: bool = False) -> str:
        """Its cards, statistics and oddities for a terminal."""

    def svg(self, *, theme: str = "light") -> str:
        """A picture of its cards."""

    def warnings(self) -> list[str]:
        """What is allowed but probably not meant."""

    def with_face(self, card_number: int, face: str) -> Deck:
        """The deck with another face on one of its cards; LiminaError says what is wrong with it."""

    def with_rotated(self, card_number: int) -> Deck:
        """The deck with one of its cards a quarter turned."""

    def with_name(self, name: str) -> Deck:
        """The deck under another name."""

    def to_toml(self) -> str:
        """The deck as the text of a file."""

    def trial(self, seed: int = 0) -> DeckTrial:
        """Bots who play it on random deals."""


class DeckLoader(Protocol):
    """Reads and makes the decks of a game that is played with cards."""

    def load(self, path: str | Path) -> Deck:
        """The deck in a file; LiminaError says what is wrong with it."""

    def from_faces(self, faces: Sequence[object]) -> Deck:
        """The deck with these faces, card 1 first; LiminaError says which is wrong."""

    def template(self, name: str = "") -> Deck:
        """A deck to fill in."""

    def random(self, rng: Random, name: str = "") -> Deck:
        """A deck made by chance."""


@dataclass(frozen=True, slots=True)
class PieceSize:
    """What of a game is printed at a chosen size, and which sizes there are, in millimetres."""

    name: str
    default_mm: float
    min_mm: float
    max_mm: float


@dataclass(frozen=True, slots=True)
class PrintJob:
    """How a game is to be printed; lengths in millimetres."""

    paper: str
    size_mm: float
    bleed_mm: float
    language: str


class Printer(Protocol):
    """Makes the sheets from which a game can be cut out."""

    @property
    def size(self) -> PieceSize:
        """What is printed at a chosen size."""

    def pdf(self, job: PrintJob, options: Mapping[str, Any]) -> bytes:
        """The sheets of a game with these options, one for each that its spec names."""


class SetupGuide(Protocol[P_contra]):
    """Helps to lay out a start on a real table."""

    def instructions(self, position: P_contra) -> str:
        """What lies where, as a list that can be followed."""


class CompanionJudge(Protocol[P_co]):
    """Judges what somebody has entered of a real table: plain values in, plain values out."""

    @property
    def result_type(self) -> Any:
        """The type of what `judge` returns."""

    def judge(self, table: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a page is told of it; LiminaError says what is wrong with it."""

    def position(self, table: Mapping[str, Any]) -> P_co:
        """Where the game stands, for whoever would like to know what to play; LiminaError where nobody is to move."""


class EncodingSizes(NamedTuple):
    """How large the numbers are in which a game is told to programs that learn."""

    n_actions: int
    """How many clicks there are; the last one is the pass."""
    planes_shape: tuple[int, int, int]
    """Pictures of the board: how many, rows, columns."""
    vector_length: int
    """What else there is to know."""
    packed_words: int
    """Words of 64 bits that hold the same in little room."""
    max_value: int
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

    def sizes(self, **options: Any) -> EncodingSizes:
        """The sizes of a game with these options."""

    def batch(
        self,
        n_games: int,
        *,
        players: int,
        threads: int = 1,
        illegal_reward: float = -1.0,
        autoreset: int = 1,
        **options: Any,
    ) -> Any:
        """A `KernelBatch` of so many games; `autoreset` is 0 (never), 1 (with the next step) or 2 (at once)."""

    def start_setup(self, batch: Any, game_index: int, setup: object) -> None:
        """Begin a game of a batch from a setup: a list, or a line of a file of setups."""

    def position_of(self, batch: Any, game_index: int, **options: Any) -> P:
        """Where a game of a batch with these options stands, as far as turns are made."""

    def start_position(self, batch: Any, game_index: int, position: P) -> None:
        """Begin a game of a batch at a position at which somebody is to move."""

    def position_after(self, batch: Any, game_index: int, before: P, ended: bool) -> P | None:
        """Where a game that was set to `before` stands, without what chance did since; None while turns are made."""

    def chance_actions(self, position: P, samples: int) -> list[int]:
        """All that chance may do, by numbers; where that is more than can be listed, so many samples."""

    def chance_step(self, position: P, action: int) -> Step:
        """What chance does by that number."""

    def turn_code(self, position: P, turn: T_contra) -> int:
        """The number by which a batch plays a turn."""

    def turn_actions(self, position: P, player: int, turn: T_contra) -> list[int]:
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
