"""Displays, searches and batches of Limes."""

from collections.abc import Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray

import limina._kernel


ROUNDS: int = 16

WORKERS_PER_PLAYER: int = 7

DECK_SIZE: int = 24

class IllegalTurnReason(enum.Enum):
    """The rule that a turn breaks."""

    DISPLAY_FULL = 0

    NO_SUCH_CELL = 1

    FIRST_CARD_OFF_D4 = 2

    CELL_TAKEN = 3

    NOT_BESIDE_CARD = 4

    TOO_WIDE = 5

    TOO_TALL = 6

    NO_SUCH_TURNING = 7

    EMPTY_SUPPLY = 8

    TARGET_OFF_CARD = 9

    NO_WORKER_ON_SOURCE = 10

    NO_CARD_UNDER_TARGET = 11

    TARGET_IN_OWN_TERRITORY = 12

    TARGET_NOT_ADJACENT = 13

class Card:
    """A card, made of four (landscape, hut) in the order nw, ne, sw, se."""

    def __init__(self, face: Sequence[tuple[int, bool]]) -> None: ...

class Display:
    """
    The cards and workers of one player. Immutable: `play` returns a new display.
    """

    def __init__(self, diagonal: bool = False, ferryman: bool = False) -> None: ...

    def open_cells(self) -> list[int]:
        """Return the cells where a card may be placed, as 8 * row + column."""

    def legal_turns(self, card: Card) -> list[int]:
        """Return all legal turns with this card, packed."""

    def placements(self, card: Card) -> list[tuple[int, int, list[tuple[int | None, int | None, int]]]]:
        """
        Return all legal turns, grouped as (cell, turning, actions) with actions (source, target, total after the turn).
        """

    def play(self, card: Card, turn: int) -> Display | IllegalTurnReason:
        """Return the display after the turn, or the rule that the turn breaks."""

    def zones(self) -> list[tuple[int, int, bool]]:
        """Return all zones as (zone, landscape, hut)."""

    def workers(self) -> list[int]:
        """Return the zone of each worker."""

    def territories(self) -> list[list[int]]:
        """Return all territories as lists of zones."""

    def scores(self) -> list[tuple[int, int, bool, list[int], list[list[int]]]]:
        """
        Return each worker as (zone, profession, is_scoring, territory, counted).
        """

    def total(self) -> int: ...

    def tie_break_points(self) -> list[int]:
        """Return the points of the scoring workers, best first."""

    def playouts(self, deck: Sequence[Card], unseen: int, next: int, games: int, seed: int) -> list[int]:
        """Return how often random playouts reached each total."""

    @property
    def supply(self) -> int: ...

    @property
    def card_count(self) -> int: ...

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
    Return the parts of a packed turn: cell, turning, the zone that a worker leaves (None: the supply) and the zone that the worker goes to (None: no worker action).
    """

def turn_code(cell: int, turning: int, source: int | None = None, target: int | None = None) -> int:
    """Return the packed turn with these parts."""

def winners(displays: Sequence[Display]) -> list[int]:
    """Return the indices of the displays that win or share the win."""

def territories(zones: Sequence[tuple[int, int, int]]) -> list[list[int]]:
    """
    Return the territories of zones (x, y, landscape) within 8x8, as lists of indices into the zones.
    """

def rating(total: int) -> str:
    """Return the rating of a solitaire total."""

class Weights:
    """
    Weights of the evaluation, which estimates the final total of a display. New weights estimate it by the present total.
    """

    def __init__(self) -> None: ...

    def __deepcopy__(self, memo: object) -> object:
        """Return the same object, which is immutable."""

    @staticmethod
    def from_bytes(data: bytes) -> Weights:
        """Read the weights of a file. Raises ValueError if it is invalid."""

    def to_bytes(self) -> bytes:
        """Return the weights as the bytes of a file."""

    def evaluate(self, display: Display) -> float:
        """Return the estimated final total."""

    def ranked_turns(self, display: Display, card: Card) -> list[tuple[int, float]]:
        """
        Return all turns with distinct results and their estimated final totals, best first.
        """

class Trainer:
    """Learns weights by self-play."""

    def __init__(self) -> None: ...

    @staticmethod
    def restore(weights: bytes, averages: bytes, correction_sums: bytes, magnitudes: bytes) -> Trainer:
        """Continue from the parts of a `state`."""

    def state(self) -> tuple[bytes, bytes, bytes, bytes]:
        """Return the complete state, for `restore`."""

    def train(self, deck: Sequence[Card], games: int, *, table_rate: float, network_step: float, trace_decay: float, exploration_rate: float, averaging_weight: float, seed: int, cancel_token: limina._kernel.CancelToken) -> float:
        """Play games, learn from them, and return the mean total."""

    def averaged_weights(self) -> Weights: ...

def search(weights: Weights, display: Display, deck: Sequence[Card], card: int, unseen: int, opponents: Sequence[Display], *, rollouts: int, candidates: int, depth: int, threads: int, seconds: float, seed: int, cancel_token: limina._kernel.CancelToken) -> tuple[list[tuple[int, float, float, int]], int, bool]:
    """
    Return all turns as (turn, expected points, win probability, rollouts), best first; the number of rollouts; and True unless the search was stopped.
    """

def par(cards: Sequence[Card], diagonal: bool, ferryman: bool, *, max_arrangements: int, threads: int, seconds: float, cancel_token: limina._kernel.CancelToken) -> tuple[int, list[int], int]:
    """
    Return the best total found for a deal, its turns (empty if canceled before the first), and the number of arrangements tried.
    """

def upper_bound(cards: Sequence[Card]) -> int:
    """Return a total that no display of these cards exceeds."""

class Batch:
    """
    Games that advance action by action and write into arrays of the caller.
    """

    def __init__(self, deck: Sequence[Card], games: int, *, players: int = 1, diagonal: bool = False, ferryman: bool = False, reward_at_end: bool = False, illegal_reward: float = -1.0, autoreset: int = 1, threads: int = 1) -> None: ...

    def attach(self, *, planes: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')] | None = None, vector: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')] | None = None, mask: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')] | None = None, packed: Annotated[NDArray[numpy.uint64], dict(order='C', device='cpu')] | None = None, rewards: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')] | None = None, ended: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')] | None = None, player: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')] | None = None) -> None:
        """
        Set the arrays that are written from now on. What is left out is not computed.
        """

    def reset(self, seeds: Annotated[NDArray[numpy.uint64], dict(order='C', device='cpu', writable=False)], reset_mask: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu', writable=False)] | None = None) -> None:
        """Restart all games, or those in the mask, each from its seed."""

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(order='C', device='cpu', writable=False)]) -> None:
        """Apply one action in each row."""

    def play(self, turns: Annotated[NDArray[numpy.uint32], dict(order='C', device='cpu', writable=False)]) -> None:
        """Play a packed turn in each row."""

    def sample(self, actions: Annotated[NDArray[numpy.int64], dict(order='C', device='cpu')]) -> None:
        """Write a random legal action for each row."""

    def afterstates(self, k: int, turns: Annotated[NDArray[numpy.uint32], dict(order='C', device='cpu')], gains: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')], features: Annotated[NDArray[numpy.int16], dict(order='C', device='cpu')], counts: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu')]) -> None:
        """
        Write up to k turns with distinct results for each row, those that gain most first: packed turns, gains, active features after them, and their number.
        """

    def observe(self) -> None:
        """Write the observations again."""

    def copy(self) -> Batch:
        """Return a copy of the games, without arrays."""

    @property
    def rows(self) -> int: ...

    @property
    def games(self) -> int: ...

    @property
    def players(self) -> int: ...

    PLANE_COUNT: int = 8

    VECTOR_SIZE: int = 76

    PACKED_WORDS: int = 10

    FEATURE_COUNT: int = 5087

    MAX_FEATURES: int = 192

    def deal(self, game: int, cards: Sequence[int]) -> None:
        """Restart one game with these cards (0 to 23) in this order."""

    def set_game(self, game: int, displays: Sequence[Display], draws: Sequence[int]) -> None:
        """Set one game to these displays and drawn cards (0 to 23)."""

    def displays(self, game: int) -> list[Display]:
        """
        Return the displays of a game, with the card of the round where it is placed.
        """

    def draws(self, game: int) -> list[int]:
        """Return the cards drawn in a game (0 to 23)."""

    ACTION_COUNT: int = 101

    FRAME_SIDE: int = 10
