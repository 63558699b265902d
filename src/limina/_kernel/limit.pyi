"""The board of Limit."""

from collections.abc import Sequence
import enum

import limina._kernel


NONE: int = 255

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

    NONE = 0

    GAME_OVER = 1

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

class Table:
    """
    A layout and where the game on it stands. Never changes: playing returns another.
    """

    def __init__(self, places: Sequence[tuple[int, int, int]], players: int) -> None: ...

    @staticmethod
    def check_layout(places: Sequence[tuple[int, int, int]], players: int) -> tuple[LayoutProblem, int]:
        """What is wrong with a layout of (q, r, colour), and with which tile."""

    @staticmethod
    def random(size: int, players: int, seed: int) -> Table:
        """A start on a layout dealt at random."""

    def places(self) -> list[tuple[int, int, int]]:
        """All tiles laid at the start as (q, r, colour)."""

    def tiles(self) -> list[int]:
        """The tiles still there."""

    def pawns(self, player: int) -> list[int]: ...

    def legal_turns(self) -> list[int]:
        """All legal turns, as numbers."""

    def check(self, turn: int) -> Problem:
        """Why the turn is not legal, or NONE."""

    def play(self, turn: int) -> tuple[Table, list[list[int]]]:
        """
        The table after a turn, and the tiles: captured by the move, sunk, enemies and friends captured at the end.
        """

    def reach(self, pawn: int) -> list[int]:
        """The tiles that a pawn can reach."""

    def preview_move(self, start: int, end: int) -> tuple[list[int], list[int]]:
        """What a pawn move captures, and the tiles that may be removed after it."""

    def halfway(self, start: int, end: int) -> Table:
        """
        The table between the two parts of a turn, to be looked at only: nobody can play on from there.
        """

    def freedoms(self, pawn: int) -> list[int]:
        """The empty tiles that touch the pawn's group."""

    def in_danger(self, player: int) -> list[int]:
        """The player's pawns in groups with one freedom."""

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

class Values:
    """The trained weights of the evaluation."""

    def __init__(self) -> None: ...

    @staticmethod
    def read(data: bytes) -> Values:
        """From bytes that `write` made."""

    @staticmethod
    def naive() -> Values:
        """What a beginner goes by."""

    def write(self) -> bytes:
        """As bytes, two a weight."""

    def chances(self, table: Table) -> list[float]:
        """The chance of each player to win, judged without looking ahead."""

class Growth:
    """How a search tree is grown."""

    def __init__(self) -> None: ...

    @property
    def curiosity(self) -> float: ...

    @curiosity.setter
    def curiosity(self, arg: float, /) -> None: ...

    @property
    def trust(self) -> float: ...

    @trust.setter
    def trust(self, arg: float, /) -> None: ...

    @property
    def sharpness(self) -> float: ...

    @sharpness.setter
    def sharpness(self, arg: float, /) -> None: ...

    @property
    def whim(self) -> float: ...

    @whim.setter
    def whim(self, arg: float, /) -> None: ...

    @property
    def sight(self) -> int: ...

    @sight.setter
    def sight(self, arg: int, /) -> None: ...

    @property
    def blindness(self) -> float: ...

    @blindness.setter
    def blindness(self, arg: float, /) -> None: ...

    @property
    def solve_tiles(self) -> int: ...

    @solve_tiles.setter
    def solve_tiles(self, arg: int, /) -> None: ...

    @property
    def solve_most(self) -> int: ...

    @solve_most.setter
    def solve_most(self, arg: int, /) -> None: ...

    @property
    def solve_first_tiles(self) -> int: ...

    @solve_first_tiles.setter
    def solve_first_tiles(self, arg: int, /) -> None: ...

    @property
    def solve_first_most(self) -> int: ...

    @solve_first_most.setter
    def solve_first_most(self, arg: int, /) -> None: ...

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

def search(table: Table, values: Values, growth: Growth, work: int, milliseconds: float = 1000000000.0, threads: int = 1, seed: int = 0, stop: limina._kernel.Stop | None = None) -> Report:
    """The choice of the player to move, by best-first search on the values."""

def uct(table: Table, exploration: float, work: int, milliseconds: float = 1000000000.0, seed: int = 0, stop: limina._kernel.Stop | None = None) -> Report:
    """The choice of the player to move, by plain UCT with random playouts."""

def solve(table: Table, values: Values, most: int, stop: limina._kernel.Stop | None = None) -> list[tuple[int, int]] | None:
    """
    Every legal turn with its result under best play (1 wins, 0 ties, -1 loses), or None where it takes too long.
    """

class Trainer:
    """Learns the values by self-play."""

    def __init__(self) -> None: ...

    def play(self, size: int, players: int, work: int, rate: float, seed: int) -> float:
        """
        Play one game and learn from it; the mean loss of judging its positions by how it ended.
        """

    def values(self) -> Values:
        """What was learnt so far."""

    def state(self) -> tuple[bytes, bytes]:
        """All that is needed to go on later."""

    def restore(self, weights: bytes, squares: bytes) -> None:
        """Go on from a state."""
