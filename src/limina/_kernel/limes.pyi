"""One player's display in Limes."""

from collections.abc import Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray

import limina._kernel


ROUNDS: int = 16

WORKERS: int = 7

CARDS: int = 24

class Problem(enum.Enum):
    """Why a turn is not legal."""

    FULL = 0

    NO_SUCH_CELL = 1

    FIRST_CELL = 2

    TAKEN = 3

    NOT_BESIDE = 4

    TOO_WIDE = 5

    TOO_TALL = 6

    NO_SUCH_TURNING = 7

    EMPTY_SUPPLY = 8

    OFF_CARD = 9

    NO_WORKER = 10

    NO_GROUND = 11

    OWN_TERRITORY = 12

    NOT_ADJACENT = 13

class Card:
    """A card face: four (landscape, hut) in the order nw ne sw se."""

    def __init__(self, face: Sequence[tuple[int, bool]]) -> None: ...

class Display:
    """
    One player's cards and workers. Never changes: playing returns another.
    """

    def __init__(self, diagonal: bool = False, ferryman: bool = False) -> None: ...

    def open_cells(self) -> list[int]:
        """The cells where a card may be laid, as 8 * row + column."""

    def legal_turns(self, card: Card) -> list[int]:
        """All legal turns with this card, as numbers."""

    def placements(self, card: Card) -> list[tuple[int, int, list[tuple[int | None, int | None, int]]]]:
        """
        All legal turns by the way the card is laid: (cell, turning, actions), an action (source, target, total after it).
        """

    def play(self, card: Card, turn: int) -> Display | Problem:
        """The display after the turn, or why it is not legal."""

    def zones(self) -> list[tuple[int, int, bool]]:
        """All zones as (zone, landscape, hut)."""

    def workers(self) -> list[int]:
        """The zone of each worker."""

    def territories(self) -> list[list[int]]:
        """All territories as lists of zones."""

    def scores(self) -> list[tuple[int, int, bool, list[int], list[list[int]]]]:
        """Each worker as (zone, profession, scored, territory, counted)."""

    def total(self) -> int: ...

    def ranking(self) -> list[int]:
        """The points of the workers who score, best first."""

    def playouts(self, deck: Sequence[Card], unseen: int, next: int, games: int, seed: int) -> list[int]:
        """How often random play to the end reached each total."""

    @property
    def supply(self) -> int: ...

    @property
    def cards(self) -> int: ...

    @property
    def diagonal(self) -> bool: ...

    @property
    def ferryman(self) -> bool: ...

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> tuple[list[int], list[int]]: ...

    def __setstate__(self, arg: tuple[Sequence[int], Sequence[int]], /) -> None: ...

def turn_parts(turn: int) -> tuple[int, int, int | None, int | None]:
    """
    The parts of a turn: cell, turning, the zone a worker leaves (none: the supply) and where he goes (none: nobody does).
    """

def turn_code(cell: int, turning: int, source: int | None = None, target: int | None = None) -> int:
    """The number of the turn with these parts."""

def winners(displays: Sequence[Display]) -> list[int]:
    """Who wins or shares the win."""

def territories(zones: Sequence[tuple[int, int, int]]) -> list[list[int]]:
    """
    The territories of a patch of zones (x, y, landscape) within 8x8, as lists of indices into it.
    """

def rating(total: int) -> str:
    """The wording for a lone player's total."""

class Values:
    """
    What displays will be worth at the end. New ones know only the points of the moment.
    """

    def __init__(self) -> None: ...

    def __deepcopy__(self, memo: object) -> object:
        """Itself: nothing changes it."""

    @staticmethod
    def read(file: bytes) -> Values:
        """Values as a file holds them; ValueError says what is wrong with it."""

    def write(self) -> bytes: ...

    def value(self, display: Display) -> float:
        """The points expected at the end."""

    def turns(self, display: Display, card: Card) -> list[tuple[int, float]]:
        """All turns that differ, with their values, best first."""

class Trainer:
    """Values while they are learned."""

    def __init__(self) -> None: ...

    @staticmethod
    def restored(weights: bytes, means: bytes, sums: bytes, sizes: bytes) -> Trainer: ...

    def state(self) -> tuple[bytes, bytes, bytes, bytes]:
        """All there is to go on from."""

    def run(self, deck: Sequence[Card], games: int, *, tables: float, network: float, trace: float, explore: float, recent: float, seed: int, stop: limina._kernel.Stop) -> float:
        """Play and learn; the mean total."""

    def values(self) -> Values: ...

def search(values: Values, display: Display, deck: Sequence[Card], card: int, unseen: int, rivals: Sequence[Display], *, rollouts: int, candidates: int, depth: int, threads: int, seconds: float, seed: int, stop: limina._kernel.Stop) -> tuple[list[tuple[int, float, float, int]], int, bool]:
    """
    All turns as (turn, expected points, chance to win, rollouts), best first; all rollouts; whether it finished.
    """

def par(cards: Sequence[Card], diagonal: bool, ferryman: bool, *, most: int, threads: int, seconds: float, stop: limina._kernel.Stop) -> tuple[int, list[int], int]:
    """
    The best total found for a deal, its turns (none: it was stopped), how many arrangements were tried.
    """

def bound(cards: Sequence[Card]) -> int:
    """A total that no full display of these cards exceeds."""

class Batch:
    """
    Games side by side, stepped click by click into arrays of the caller's.
    """

    def __init__(self, deck: Sequence[Card], games: int, *, players: int = 1, diagonal: bool = False, ferryman: bool = False, reward_at_end: bool = False, illegal_reward: float = -1.0, autoreset: int = 1, threads: int = 1) -> None: ...

    def attach(self, *, planes: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')] | None = None, vector: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')] | None = None, mask: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')] | None = None, packed: Annotated[NDArray[numpy.uint64], dict(order='C', device='cpu')] | None = None, rewards: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')] | None = None, ended: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')] | None = None, player: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')] | None = None) -> None:
        """Where to write from now on. What is left out is not worked out."""

    def reset(self, seeds: Annotated[NDArray[numpy.uint64], dict(order='C', device='cpu', writable=False)], which: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu', writable=False)] | None = None) -> None:
        """Begin games anew, each from a seed: all, or those chosen."""

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(order='C', device='cpu', writable=False)]) -> None:
        """One click in each row."""

    def play(self, turns: Annotated[NDArray[numpy.uint32], dict(order='C', device='cpu', writable=False)]) -> None:
        """A whole turn in each row, by its number."""

    def sample(self, actions: Annotated[NDArray[numpy.int64], dict(order='C', device='cpu')]) -> None:
        """Write a random legal click for each row."""

    def afterstates(self, k: int, turns: Annotated[NDArray[numpy.uint32], dict(order='C', device='cpu')], gains: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')], features: Annotated[NDArray[numpy.int16], dict(order='C', device='cpu')], found: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu')]) -> None:
        """
        Write the k turns of each row that are best at once and differ: numbers, gains, features after them, how many.
        """

    def observe(self) -> None:
        """Write what can be seen, once more."""

    def copy(self) -> Batch:
        """
        The same games once more, to go on apart from these; arrays are to be attached anew.
        """

    @property
    def rows(self) -> int: ...

    @property
    def games(self) -> int: ...

    @property
    def players(self) -> int: ...

    PLANES: int = 8

    VECTOR: int = 76

    PACKED: int = 10

    FEATURES: int = 5087

    MOST_FEATURES: int = 192

    def deal(self, game: int, cards: Sequence[int]) -> None:
        """Begin one game anew with these cards in this order, from 0 to 23."""

    def set(self, game: int, displays: Sequence[Display], draws: Sequence[int]) -> None:
        """Begin one game with these displays and cards drawn, from 0 to 23."""

    def displays(self, game: int) -> list[Display]:
        """The displays of a game, with the card of the round where it lies."""

    def draws(self, game: int) -> list[int]:
        """The cards drawn in a game, from 0 to 23."""

    ACTIONS: int = 101

    FRAME: int = 10
