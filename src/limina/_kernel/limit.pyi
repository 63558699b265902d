"""Boards, searches and batches of Limit."""

from collections.abc import Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray

import limina._kernel


class LayoutProblem(enum.Enum):
    """The set-up rule that a layout breaks."""

    NONE = 0

    PLAYER_COUNT = 1

    TILE_COUNT = 2

    INVALID_PLACE = 3

    INVALID_COLOR = 4

    DUPLICATE_PLACE = 5

    UNEVEN_COLORS = 6

    FEWER_THAN_TWO_NEIGHBORS = 7

    NOT_CONNECTED = 8

    SAME_COLOR_TOUCHES = 9

    PAWN_WITHOUT_EMPTY_NEIGHBOR = 10

class IllegalTurnReason(enum.Enum):
    """The rule that a turn breaks."""

    GAME_OVER = 0

    NO_LAYOUT = 1

    INCOMPLETE_MOVE = 2

    NO_SUCH_TILE = 3

    NO_PAWN_ON_SOURCE = 4

    ENEMY_PAWN = 5

    SOURCE_IS_TARGET = 6

    TARGET_OCCUPIED = 7

    TARGET_NOT_REACHABLE = 8

    MOVE_CAPTURES = 9

    REMOVED_OCCUPIED = 10

    NO_FREE_EDGE = 11

    SPLITS_PAWNS = 12

    REMOVAL_CAPTURES = 13

    MUST_REMOVE = 14

    MOVE_ALLOWS_NO_REMOVAL = 15

    MUST_MOVE = 16

    MUST_ACT = 17

class Board:
    """
    A layout and the state of a game on it. Immutable: `play` returns a new board.
    """

    def __init__(self, places: Sequence[tuple[int, int, int]], players: int) -> None: ...

    @staticmethod
    def check_layout(places: Sequence[tuple[int, int, int]], players: int) -> tuple[LayoutProblem, int]:
        """
        Return the rule that a layout of (q, r, color) breaks, and the index of the tile concerned, or -1.
        """

    @staticmethod
    def random(size: int, players: int, seed: int) -> Board:
        """Return the initial board of a random layout."""

    @staticmethod
    def empty(players: int) -> Board:
        """Return a board without a layout."""

    def places(self) -> list[tuple[int, int, int]]:
        """Return the tiles of the layout as (q, r, color)."""

    def tiles(self) -> list[int]:
        """Return the tiles that are left."""

    def pawns(self, player: int) -> list[int]:
        """Return the tiles of the player's pawns."""

    def legal_turns(self) -> list[int]:
        """Return all legal turns, packed."""

    def play(self, turn: int) -> PlayedTurn | IllegalTurnReason:
        """
        Return the board after the turn with its effects, or the rule that the turn breaks.
        """

    def pawn_moves(self) -> list[tuple[int, int, list[tuple[int, int]]]]:
        """
        Return the pawn moves of all legal turns: source, target, and captured pawns as (tile, player).
        """

    def completions(self, turn: int) -> list[PlayedTurn]:
        """
        Return each legal turn with the pawn move of this turn and a removal, played.
        """

    def captures(self, turn: int) -> list[tuple[int, int]]:
        """
        Return the pawns that the pawn move of this turn captures, as (tile, player).
        """

    def after_pawn_move(self, turn: int) -> Board:
        """
        Return the board after the pawn move of this turn, for inspection. No turn may be played on it.
        """

    def reachable_tiles(self, pawn: int) -> list[int]:
        """Return the tiles that a pawn can reach."""

    def freedoms(self, pawn: int) -> list[int]:
        """Return the empty tiles that touch the pawn's group."""

    def pawns_in_danger(self, player: int) -> list[int]:
        """Return the player's pawns in groups with one freedom."""

    def endangered_groups(self) -> list[tuple[int, list[int], int]]:
        """Return the pawns with the same single freedom: player, pawns, freedom."""

    def playouts(self, games: int, seed: int) -> tuple[list[int], int, list[float], int]:
        """
        Play random games; return the wins of each player, shared wins, win credits and the number of turns.
        """

    @property
    def players(self) -> int: ...

    @property
    def to_move(self) -> int: ...

    @property
    def turn(self) -> int: ...

    @property
    def over(self) -> bool: ...

    @property
    def winners(self) -> list[int]: ...

    @property
    def captures_forbidden(self) -> bool: ...

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> tuple[list[tuple[int, int, int]], int, tuple[int, list[int], int, int, bool, int], list[tuple[int, list[int], int, int, bool, int]]]: ...

    def __setstate__(self, arg: tuple[Sequence[tuple[int, int, int]], int, tuple[int, Sequence[int], int, int, bool, int], Sequence[tuple[int, Sequence[int], int, int, bool, int]]], /) -> None: ...

class PlayedTurn:
    """
    A turn with the board after it and its effects. Pawns are (tile, player).
    """

    @property
    def turn(self) -> int: ...

    @property
    def board(self) -> Board: ...

    @property
    def sunk(self) -> list[int]:
        """The removed tile and the tiles that sank with it."""

    @property
    def captured(self) -> list[tuple[int, int]]:
        """All captured pawns, in the order of the three lists."""

    @property
    def captured_by_move(self) -> list[tuple[int, int]]:
        """Enemies captured by the pawn move."""

    @property
    def captured_enemies(self) -> list[tuple[int, int]]:
        """Enemies captured at the end of the turn."""

    @property
    def captured_friends(self) -> list[tuple[int, int]]:
        """Own pawns captured after them."""

def random_layout(size: int, players: int, seed: int) -> list[tuple[int, int, int]]:
    """
    Return a random layout as (q, r, color), the same as that of `Board.random`.
    """

def turn_parts(turn: int) -> tuple[int | None, int | None, int | None]:
    """
    Return the parts of a packed turn: source and target of the pawn, removed tile. Each may be None.
    """

def turn_code(source: int | None = None, target: int | None = None, removed: int | None = None) -> int:
    """Return the packed turn with these parts."""

class Weights:
    """The weights of the evaluation."""

    def __init__(self) -> None: ...

    def __deepcopy__(self, memo: object) -> object:
        """Return the same object, which is immutable."""

    @staticmethod
    def from_bytes(data: bytes) -> Weights:
        """Read weights from the bytes of `to_bytes`."""

    @staticmethod
    def naive() -> Weights:
        """Return the untrained weights of a beginner."""

    def to_bytes(self) -> bytes:
        """Return the weights as 16-bit integers."""

    def win_probabilities(self, board: Board) -> list[float]:
        """Return the probability of each player to win, without search."""

class SearchOptions:
    """Parameters of the tree search."""

    def __init__(self) -> None: ...

    def __deepcopy__(self, memo: object) -> SearchOptions:
        """Return a copy."""

    @property
    def exploration(self) -> float: ...

    @exploration.setter
    def exploration(self, arg: float, /) -> None: ...

    @property
    def minimax_weight(self) -> float: ...

    @minimax_weight.setter
    def minimax_weight(self, arg: float, /) -> None: ...

    @property
    def inverse_temperature(self) -> float: ...

    @inverse_temperature.setter
    def inverse_temperature(self, arg: float, /) -> None: ...

    @property
    def noise(self) -> float: ...

    @noise.setter
    def noise(self, arg: float, /) -> None: ...

    @property
    def myopic_probability(self) -> list[float]: ...

    @myopic_probability.setter
    def myopic_probability(self, arg: Sequence[float], /) -> None: ...

    @property
    def max_depth(self) -> int: ...

    @max_depth.setter
    def max_depth(self, arg: int, /) -> None: ...

    @property
    def miss_rate(self) -> float: ...

    @miss_rate.setter
    def miss_rate(self, arg: float, /) -> None: ...

    @property
    def solver_max_tiles(self) -> int: ...

    @solver_max_tiles.setter
    def solver_max_tiles(self, arg: int, /) -> None: ...

    @property
    def solver_max_positions(self) -> int: ...

    @solver_max_positions.setter
    def solver_max_positions(self, arg: int, /) -> None: ...

    @property
    def root_solver_max_tiles(self) -> int: ...

    @root_solver_max_tiles.setter
    def root_solver_max_tiles(self, arg: int, /) -> None: ...

    @property
    def root_solver_max_positions(self) -> int: ...

    @root_solver_max_positions.setter
    def root_solver_max_positions(self, arg: int, /) -> None: ...

class Candidate:
    """A turn that a search has evaluated."""

    @property
    def turn(self) -> int: ...

    @property
    def win_probabilities(self) -> list[float]:
        """The probability of each player to win."""

    @property
    def visits(self) -> int: ...

class SearchResult:
    """The result of a search."""

    @property
    def candidates(self) -> list[Candidate]:
        """The turns, best first."""

    @property
    def work(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def is_proven(self) -> bool:
        """True if the result of the best turn is exact."""

def search(board: Board, weights: Weights, options: SearchOptions, work: int, milliseconds: float = 1000000000.0, threads: int = 1, seed: int = 0, cancel_token: limina._kernel.CancelToken | None = None) -> SearchResult:
    """
    Search the turns of the player to move best first, with `weights` at the leaves.
    """

EVIDENCE_WORK_PER_TURN: int = 16000

def myopic_evidence(turns: Sequence[tuple[Board, int]], weights: Weights, milliseconds: float = 1000000000.0, seed: int = 0, cancel_token: limina._kernel.CancelToken | None = None) -> list[float]:
    """
    Return for each turn, with the board that it was played on, the log-likelihood ratio of a myopic player to one who looks ahead. The list is shorter if the time is over. Each turn takes EVIDENCE_WORK_PER_TURN evaluations.
    """

def uct(board: Board, exploration: float, work: int, milliseconds: float = 1000000000.0, seed: int = 0, cancel_token: limina._kernel.CancelToken | None = None) -> SearchResult:
    """
    Search the turns of the player to move by plain UCT with random playouts.
    """

def solve(board: Board, weights: Weights, max_positions: int, cancel_token: limina._kernel.CancelToken | None = None) -> list[tuple[int, int]] | None:
    """
    Return every legal turn with its result under best play (1 wins, 0 ties, -1 loses), or None if that takes more than `max_positions` positions.
    """

class Trainer:
    """Learns weights by self-play."""

    def __init__(self) -> None: ...

    def play_game(self, size: int, players: int, work: int, rate: float, seed: int, min_tiles: int = 0) -> float:
        """
        Play one game, learn from it, and return the mean loss of the evaluation against the result of the game.
        """

    def start_from(self, weights: Weights) -> None:
        """Start with trained weights."""

    def weights(self) -> Weights:
        """Return the present weights."""

    def state(self) -> tuple[bytes, bytes]:
        """Return the complete state, for `restore`."""

    def restore(self, weights: bytes, squared_gradients: bytes) -> None:
        """Continue from the parts of a `state`."""

class Batch:
    """
    Games that advance action by action and write into arrays of the caller.
    """

    def __init__(self, games: int, *, players: int = 2, size: int = 8, layouts: int = 0, seed: int = 0, illegal_reward: float = -1.0, autoreset: int = 1, threads: int = 1) -> None: ...

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

    PLANE_COUNT: int = 7

    VECTOR_SIZE: int = 8

    PACKED_WORDS: int = 15

    FEATURE_COUNT: int = 22722

    MAX_FEATURES: int = 128

    def set_game(self, game: int, board: Board) -> None:
        """Set one game to this board."""

    def board(self, game: int) -> Board:
        """Return the board of a game when the current turn began."""

    @property
    def frame_side(self) -> int: ...

    SMALL_FRAME_SIDE: int = 12

    LARGE_FRAME_SIDE: int = 16
