"""Optional capabilities of games: counting points, explaining turns, finding par, training, decks, printing and others.

A game declares each as a property of `limina.Game`, which is None by default.
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
    from limina._kernel import CancelToken

P_contra = TypeVar("P_contra", bound=Position, contravariant=True)
P_co = TypeVar("P_co", bound=Position, covariant=True)
T_contra = TypeVar("T_contra", contravariant=True)


class Scoring(Protocol[P_contra]):
    """Counts points."""

    def points(self, position: P_contra) -> tuple[int, ...]:
        """Return the points of each player."""


class Explainer(Protocol[P_contra, T_contra]):
    """Explains in sentences why turns are good or bad."""

    def explain(self, position: P_contra, player: int, played: T_contra | None, best: T_contra) -> list[str]:
        """Return sentences on why the best turn is better than the played one, or good if none was played."""


class Solution(Protocol):
    """The best game found for a deal."""

    @property
    def total(self) -> int:
        """Points of this game."""

    @property
    def bound(self) -> int:
        """Proven upper bound for the points of any game with this deal."""

    @property
    def start(self) -> Position:
        """Initial position."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps of the game."""

    @property
    def effort(self) -> str:
        """Size of the search as a phrase for people."""

    def to_json(self) -> dict[str, Any]:
        """Return the solution as plain values."""


class Solver(Protocol[P_contra]):
    """Finds par: the best result if all chance steps were known in advance."""

    def is_complete_deal(self, start: P_contra, deal: Sequence[Step]) -> bool:
        """Return True if the deal contains all chance steps of a game."""

    def solve(
        self,
        start: P_contra,
        deal: Sequence[Step],
        *,
        max_work: int | None = None,
        max_seconds: float | None = None,
        cancel_token: CancelToken | None = None,
    ) -> Solution:
        """Return the best game found for a start and its deal. Raises LiminaError if the deal is incomplete."""


class Trainer(Protocol):
    """Trains the weights of a game's bots in games that it plays."""

    @property
    def plans(self) -> Collection[str]:
        """Names of training plans, the default first."""

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
        """Train and write the weights to `out`. Raises LiminaError if a file cannot be read or written."""


class DeckTrial(Protocol):
    """Games that bots play with a deck."""

    def play(self, deal_index: int, cancel_token: CancelToken) -> Mapping[str, Sequence[int]]:
        """Return points by way to play for one deal, with the deck and, if it differs, with the game's own deck.

        Raises LiminaError if the token is set.
        """

    def summarize(self, played: Sequence[Mapping[str, Sequence[int]]]) -> str:
        """Return a summary of the results that `play` returned."""


class Deck(Protocol):
    """A deck of cards."""

    @property
    def faces(self) -> tuple[str, ...]:
        """Cards in the notation, card 1 first."""

    @property
    def name(self) -> str:
        """Name, or an empty text."""

    @property
    def id(self) -> str:
        """Hash of the game and the faces: 24 letters, digits, `-` and `_`."""

    def text(self, *, color: bool = False) -> str:
        """Return the cards, statistics and warnings for a terminal."""

    def svg(self, *, theme: str = "light") -> str:
        """Return a picture of the cards."""

    def warnings(self) -> list[str]:
        """Return sentences about features that are allowed but probably unintended."""

    def with_face(self, card_number: int, face: str) -> Deck:
        """Return the deck with another face on a card. Raises LiminaError if the face is invalid."""

    def with_rotated(self, card_number: int) -> Deck:
        """Return the deck with a card rotated clockwise by a quarter turn."""

    def with_name(self, name: str) -> Deck:
        """Return the deck under another name."""

    def to_toml(self) -> str:
        """Return the deck as the text of a TOML file."""

    def trial(self, seed: int = 0) -> DeckTrial:
        """Return a trial of the deck on random deals."""


class DeckLoader(Protocol):
    """Reads and creates decks."""

    def load(self, path: str | Path) -> Deck:
        """Return the deck in a file. Raises LiminaError if it is invalid."""

    def from_faces(self, faces: Sequence[object]) -> Deck:
        """Return the deck with these faces, card 1 first. Raises LiminaError if one is invalid."""

    def template(self, name: str = "") -> Deck:
        """Return a deck to start a new one from."""

    def random(self, rng: Random, name: str = "") -> Deck:
        """Return a random deck."""


@dataclass(frozen=True, slots=True)
class PieceWidthRange:
    """The widths in which a piece of a game can be printed, and the default, in millimeters. `name` is the piece."""

    name: str
    default_mm: float
    min_mm: float
    max_mm: float


@dataclass(frozen=True, slots=True)
class PrintJob:
    """Settings of a print: paper format, width of the pieces, bleed beyond the cut, and language."""

    paper: str
    size_mm: float
    bleed_mm: float
    language: str


class Printer(Protocol):
    """Prints sheets to cut out and play with."""

    @property
    def width_range(self) -> PieceWidthRange:
        """The widths that a person may choose for the pieces."""

    def pdf(self, job: PrintJob, options: Mapping[str, Any]) -> bytes:
        """Return the sheets of a game as a PDF. `options` has a value for each option of the game's spec."""


class SetupGuide(Protocol[P_contra]):
    """Tells players how to lay out a start for a physical game."""

    def instructions(self, position: P_contra) -> str:
        """Return the places of all pieces as a list for people."""


class CompanionJudge(Protocol[P_co]):
    """Judges physical games that players enter by hand, as plain values."""

    @property
    def result_type(self) -> Any:
        """Type of the values that `judge` returns."""

    def judge(self, entry: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what a page shows of an entered game. Raises LiminaError if the entry is invalid."""

    def position(self, entry: Mapping[str, Any]) -> P_co:
        """Return the position of an entered game, for hints. Raises LiminaError if no player is to move in it."""


class EncodingSizes(NamedTuple):
    """Sizes of the arrays that encode a game for reinforcement learning."""

    n_actions: int
    """Number of actions. The last one is the pass."""
    planes_shape: tuple[int, int, int]
    """Number of feature planes of the board, and their rows and columns."""
    vector_length: int
    """Number of features that do not belong to a cell of the board."""
    packed_words: int
    """Number of 64-bit words of a packed observation, which has the same content in less memory."""
    max_value: int
    """Upper bound of all numbers in planes and vector."""


class KernelBatch(Protocol):
    """A batch of games in the kernel.

    The caller allocates the arrays. A row is a game, or a seat of a game in which all players move at once.
    """

    @property
    def rows(self) -> int:
        """Number of actions that a step takes."""

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
        """Set the arrays that all later calls write to."""

    def reset(self, seeds: Any, which: Any = None) -> None:
        """Begin all games again, or those in `which`, each with a seed."""

    def step(self, actions: Any) -> None:
        """Take one action in each row. A turn consists of one or more actions."""

    def play(self, turns: Any) -> None:
        """Play one complete turn, given by its code, in each row."""

    def sample(self, actions: Any) -> None:
        """Write a random legal action for each row."""

    def observe(self) -> None:
        """Write the observations of all rows again."""


class Encoding(Protocol[P, T_contra]):
    """Encodes a game for reinforcement learning: observations as numbers, turns as actions."""

    def sizes(self, **options: Any) -> EncodingSizes:
        """Return the array sizes of a game with these options."""

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
        """Return a `KernelBatch`. `autoreset` is 0 (never), 1 (with the next step) or 2 (in the same step)."""

    def start_setup(self, batch: Any, game_index: int, setup: object) -> None:
        """Begin a game of a batch with a setup, given as a list or as a line of a file of setups."""

    def position_of(self, batch: Any, game_index: int, **options: Any) -> P:
        """Return the position of one game of a batch. `options` are those with which the batch was made.

        It depends on the rules whether the position shows the first actions of an unfinished turn.
        """

    def start_position(self, batch: Any, game_index: int, position: P) -> None:
        """Begin a game of a batch at a position in which a player is to move."""

    def position_after(self, batch: Any, game_index: int, before: P, ended: bool) -> P | None:
        """Return the position after the turns played since `before`, without chance steps that followed them.

        Returns None while a turn is in progress.
        """

    def chance_actions(self, position: P, samples: int) -> list[int]:
        """Return the actions of all possible chance steps, or of `samples` of them if there are too many to list."""

    def chance_step(self, position: P, action: int) -> Step:
        """Return the chance step of an action."""

    def turn_code(self, position: P, turn: T_contra) -> int:
        """Return the code with which a batch plays a turn."""

    def turn_actions(self, position: P, player: int, turn: T_contra) -> list[int]:
        """Return the actions that make up a turn."""

    def unpack(self, packed: Any, **options: Any) -> tuple[Any, Any, Any]:
        """Return planes, vector and mask of packed observations."""


class Tutor(Protocol):
    """Teaches a game in lessons."""

    def lessons(self) -> Sequence[Lesson]:
        """Return the lessons in the order in which learners take them."""


class Presenter(Protocol[P_contra]):
    """Describes positions for web pages, as plain values for JSON."""

    @property
    def types(self) -> Mapping[str, Any]:
        """Types of the results of `view`, `legal` and `preview`, under these names."""

    def view(self, position: P_contra, before: P_contra | None = None) -> Mapping[str, Any]:
        """Return what all may see of a position. With the position before it, unchanged parts may be missing."""

    def legal(self, position: P_contra, player: int) -> Mapping[str, Any]:
        """Return all legal turns of a player in a compact form."""

    def preview(self, position: P_contra, player: int, turn: str) -> Mapping[str, Any]:
        """Return the result of a turn or of its first part."""

    def scores(self, position: P_contra) -> list[int]:
        """Return a number for each player that says how well they are doing."""
