"""The board of Limit."""

from collections.abc import Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray

import limina._kernel


class LayoutProblem(enum.Enum):
    """Why a layout is refused."""

    NONE = 0

    PLAYERS = 1

    COUNT = 2

    PLACE = 3

    COLOUR = 4

    DUPLICATE = 5

    COLOUR_COUNT = 6

    TOUCHES_FEWER = 7

    NOT_CONNECTED = 8

    SAME_COLOUR_TOUCH = 9

    PAWN_WITHOUT_EMPTY = 10

class Problem(enum.Enum):
    """Why a turn is not legal."""

    GAME_OVER = 0

    NOT_LAID = 1

    INCOMPLETE = 2

    NO_SUCH_TILE = 3

    NO_PAWN = 4

    ENEMY_PAWN = 5

    SAME_TILE = 6

    OCCUPIED = 7

    NOT_REACHABLE = 8

    MOVE_CAPTURES = 9

    REMOVED_OCCUPIED = 10

    NO_FREE_EDGE = 11

    SPLITS_PAWNS = 12

    REMOVAL_CAPTURES = 13

    MUST_REMOVE = 14

    MOVE_ALLOWS_NO_REMOVAL = 15

    MUST_MOVE = 16

    NOTHING = 17

class Board:
    """
    A layout and where the game on it stands. Never changes: playing returns another.
    """

    def __init__(self, places: Sequence[tuple[int, int, int]], players: int) -> None: ...

    @staticmethod
    def check_layout(places: Sequence[tuple[int, int, int]], players: int) -> tuple[LayoutProblem, int]:
        """What is wrong with a layout of (q, r, colour), and with which tile."""

    @staticmethod
    def random(size: int, players: int, seed: int) -> Board:
        """A start on a layout dealt at random."""

    @staticmethod
    def empty(players: int) -> Board:
        """What there is before the tiles are laid."""

    def places(self) -> list[tuple[int, int, int]]:
        """All tiles laid at the start as (q, r, colour)."""

    def tiles(self) -> list[int]:
        """The tiles still there."""

    def pawns(self, player: int) -> list[int]: ...

    def legal_turns(self) -> list[int]:
        """All legal turns, as numbers."""

    def play(self, turn: int) -> PlayedTurn | Problem:
        """What comes of a turn, or why it is not legal."""

    def moves(self) -> list[tuple[int, int, list[tuple[int, int]]]]:
        """
        Every pawn move that a legal turn begins with: source, target, the pawns captured as (tile, player).
        """

    def completions(self, turn: int) -> list[PlayedTurn]:
        """
        What comes of each legal turn that has this one's pawn move and removes a tile.
        """

    def captures(self, turn: int) -> list[tuple[int, int]]:
        """The pawns that this turn's pawn move captures, as (tile, player)."""

    def halfway(self, turn: int) -> Board:
        """
        The board after this turn's pawn move, to be looked at only: nobody can play on from there.
        """

    def reach(self, pawn: int) -> list[int]:
        """The tiles that a pawn can reach."""

    def freedoms(self, pawn: int) -> list[int]:
        """The empty tiles that touch the pawn's group."""

    def in_danger(self, player: int) -> list[int]:
        """The player's pawns in groups with one freedom."""

    def dangers(self) -> list[tuple[int, list[int], int]]:
        """
        The pawns that one turn may capture: player, those with the same last freedom, that.
        """

    def playouts(self, games: int, seed: int) -> tuple[list[int], int, list[float], int]:
        """Random play to the end: wins, shared wins, credit and turns in all."""

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
    The board after a turn, and what the turn took; pawns as (tile, player).
    """

    @property
    def turn(self) -> int: ...

    @property
    def board(self) -> Board: ...

    @property
    def sunk(self) -> list[int]:
        """The removed tile and those that left with it."""

    @property
    def captured(self) -> list[tuple[int, int]]:
        """All captured pawns, in the order of the three lists."""

    @property
    def captured_by_move(self) -> list[tuple[int, int]]:
        """Enemies, after the pawn move."""

    @property
    def captured_enemies(self) -> list[tuple[int, int]]:
        """At the end of the turn."""

    @property
    def captured_friends(self) -> list[tuple[int, int]]:
        """After those."""

def random_layout(size: int, players: int, seed: int) -> list[tuple[int, int, int]]:
    """A layout dealt at random as (q, r, colour): that of `Board.random`."""

def turn_parts(turn: int) -> tuple[int | None, int | None, int | None]:
    """
    The parts of a turn: the tile a pawn leaves, where it goes, the tile that is removed; each may be none.
    """

def turn_code(source: int | None = None, target: int | None = None, removed: int | None = None) -> int:
    """The number of the turn with these parts."""

class Values:
    """The trained weights of the evaluation."""

    def __init__(self) -> None: ...

    def __deepcopy__(self, memo: object) -> object:
        """Itself: nothing changes it."""

    @staticmethod
    def read(data: bytes) -> Values:
        """From bytes that `write` made."""

    @staticmethod
    def naive() -> Values:
        """What a beginner goes by."""

    def write(self) -> bytes:
        """As bytes, two a weight."""

    def chances(self, board: Board) -> list[float]:
        """The chance of each player to win, judged without looking ahead."""

class SearchOptions:
    """How a search tree is grown."""

    def __init__(self) -> None: ...

    def __deepcopy__(self, memo: object) -> SearchOptions:
        """The same once more."""

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
    def shallow(self) -> list[float]: ...

    @shallow.setter
    def shallow(self, arg: Sequence[float], /) -> None: ...

    @property
    def max_depth(self) -> int: ...

    @max_depth.setter
    def max_depth(self, arg: int, /) -> None: ...

    @property
    def miss_rate(self) -> float: ...

    @miss_rate.setter
    def miss_rate(self, arg: float, /) -> None: ...

    @property
    def solve_tiles(self) -> int: ...

    @solve_tiles.setter
    def solve_tiles(self, arg: int, /) -> None: ...

    @property
    def solve_positions(self) -> int: ...

    @solve_positions.setter
    def solve_positions(self, arg: int, /) -> None: ...

    @property
    def solve_root_tiles(self) -> int: ...

    @solve_root_tiles.setter
    def solve_root_tiles(self, arg: int, /) -> None: ...

    @property
    def solve_root_positions(self) -> int: ...

    @solve_root_positions.setter
    def solve_root_positions(self, arg: int, /) -> None: ...

class Candidate:
    """A turn that a search looked at."""

    @property
    def turn(self) -> int: ...

    @property
    def chances(self) -> list[float]:
        """The chance of each player to win."""

    @property
    def visits(self) -> int: ...

class Report:
    """What a search found."""

    @property
    def candidates(self) -> list[Candidate]:
        """Best first."""

    @property
    def work(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def proven(self) -> bool: ...

def search(board: Board, values: Values, options: SearchOptions, work: int, milliseconds: float = 1000000000.0, threads: int = 1, seed: int = 0, stop: limina._kernel.Stop | None = None) -> Report:
    """The choice of the player to move, by best-first search on the values."""

LOOK_BACK: int = 16000

def shallow_evidence(turns: Sequence[tuple[Board, int]], values: Values, milliseconds: float = 1000000000.0, seed: int = 0, stop: limina._kernel.Stop | None = None) -> list[float]:
    """
    Of each turn, and the board it was played on, how much more likely it is to be played by one who looks at his own turn only than by one who looks ahead, as a logarithm, for as many as there is time for. Takes LOOK_BACK judgements a turn.
    """

def uct(board: Board, exploration: float, work: int, milliseconds: float = 1000000000.0, seed: int = 0, stop: limina._kernel.Stop | None = None) -> Report:
    """The choice of the player to move, by plain UCT with random playouts."""

def solve(board: Board, values: Values, most: int, stop: limina._kernel.Stop | None = None) -> list[tuple[int, int]] | None:
    """
    Every legal turn with its result under best play (1 wins, 0 ties, -1 loses), or None where it takes too long.
    """

class Trainer:
    """Learns the values by self-play."""

    def __init__(self) -> None: ...

    def play(self, size: int, players: int, work: int, rate: float, seed: int, least_tiles: int = 0) -> float:
        """
        Play one game and learn from it; the mean loss of judging its positions by how it ended.
        """

    def begin(self, values: Values) -> None:
        """Begin with values that were learnt before."""

    def values(self) -> Values:
        """What was learnt so far."""

    def state(self) -> tuple[bytes, bytes]:
        """All that is needed to go on later."""

    def restore(self, weights: bytes, squares: bytes) -> None:
        """Go on from a state."""

class Batch:
    """
    Games side by side, stepped click by click into arrays of the caller's.
    """

    def __init__(self, games: int, *, players: int = 2, size: int = 8, layouts: int = 0, seed: int = 0, illegal_reward: float = -1.0, autoreset: int = 1, threads: int = 1) -> None: ...

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

    PLANES: int = 7

    VECTOR: int = 8

    PACKED: int = 15

    FEATURES: int = 22722

    MOST_FEATURES: int = 128

    def set(self, game: int, board: Board) -> None:
        """Begin one game with this board."""

    def board(self, game: int) -> Board:
        """Where a game stood when the present turn began."""

    @property
    def side(self) -> int: ...

    SMALL: int = 12

    LARGE: int = 16
