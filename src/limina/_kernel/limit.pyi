"""The board of Limit."""

from collections.abc import Sequence
import enum


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
