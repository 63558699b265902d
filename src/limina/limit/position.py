"""A position of Limit: the remaining tiles, the pawns on them, and the player to move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import index
from typing import Any, SupportsIndex

from limina._kernel import limit as kernel
from limina.core.draft import Draft
from limina.core.legal_turns import LegalTurns
from limina.core.position import ImmutablePositionMixin, Outcome, Step, resolve_player
from limina.core.rng import RandomSource, as_random
from limina.core.validation import quote_truncated
from limina.errors import IllegalTurnError, InvalidInputError
from limina.limit.draw.scene import Scene
from limina.limit.illegal_turn_text import PLAYER_NAMES, illegal_layout_text, illegal_turn_text, outcome_text
from limina.limit.notation import Turn, read_colored_tile, read_place, tile_name

COLORS = "RBYK"


@dataclass(frozen=True, slots=True)
class LastTurn:
    """The last turn and its effects, for display."""

    turn: Turn
    captured: tuple[tuple[str, int], ...]
    """Captured pawns, as tile and player."""
    sunk: tuple[tuple[str, str], ...]
    """Sunk tiles, as name and color."""


class _TileNames:
    """The names of the tiles of a layout, in the kernel's order. All positions of a game share them."""

    __slots__ = ("colored", "indices", "layout", "names")

    def __init__(self, board: kernel.Board) -> None:
        places = board.places()
        self.names = tuple([tile_name(q, r) for q, r, _ in places])
        self.indices = {name: index for index, name in enumerate(self.names)}
        """Index in the kernel's order by name."""
        self.layout = tuple([_layout_text(*place) for place in places])
        """Tiles as in a layout, such as `c4R`."""
        self.colored = tuple([_name_and_color(*place) for place in places])
        """Name and color of each tile."""


@dataclass(frozen=True, slots=True)
class Position(ImmutablePositionMixin):
    """A position of Limit.

    >>> from random import Random
    >>> position = Position.random(size=4, rng=Random(1))
    >>> position.to_move, len(position.tiles)
    ((0,), 16)
    >>> turn = position.legal_turns()[0]
    >>> position.play(turn) == position.play(str(turn))
    True
    """

    board: kernel.Board
    size: int
    """Number of pawns that each player begins with."""
    last_turn: LastTurn | None = field(default=None, compare=False)
    """The last turn, or None at the start and if it is not known."""
    _names: _TileNames | None = field(default=None, compare=False)
    """Cache of `_tile_names`. Building it costs more than playing a turn, so later positions share it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Position, (self.board, self.size, self.last_turn)

    @classmethod
    def start(cls, size: int = 8, players: int = 2) -> Position:
        """Return the position before the tiles are laid out."""
        return cls(kernel.Board.empty(players), size)

    @classmethod
    def from_layout(cls, layout: Iterable[object], players: int = 2) -> Position:
        """Return the start on a layout such as `["c4R", ...]`. Raises InvalidInputError if the layout is illegal."""
        tiles = list(layout)
        return cls.start(len(tiles) // 4, players).lay_out(tiles)

    @classmethod
    def random(cls, size: int = 8, players: int = 2, *, rng: RandomSource) -> Position:
        """Return the start on a random layout."""
        start = cls.start(size, players)
        return start.apply(start.draw_chance_step(rng))

    # --- state

    @property
    def _tile_names(self) -> _TileNames:
        names = self._names
        if names is None:
            names = _TileNames(self.board)
            object.__setattr__(self, "_names", names)
        return names

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all tiles of the layout, in the kernel's order."""
        return self._tile_names.names

    def _to_names(self, tiles: Iterable[int]) -> tuple[str, ...]:
        return tuple(map(self.names.__getitem__, tiles))

    @property
    def layout(self) -> tuple[str, ...]:
        """All tiles at the start, such as `c4R`, in the kernel's order."""
        return self._tile_names.layout

    @property
    def players(self) -> int:
        """Number of players."""
        return self.board.players

    @property
    def turn(self) -> int:
        """Number of turns played."""
        return self.board.turn

    @property
    def to_move(self) -> tuple[int, ...]:
        """Player to move. Empty before the tiles are laid out and after the end."""
        return () if self.board.over or self.awaits_chance else (self.board.to_move,)

    @property
    def awaits_chance(self) -> bool:
        """True if the tiles are not laid out yet. This is the only chance step of the game."""
        return not (self._names or self._tile_names).names

    @property
    def tiles(self) -> dict[str, str]:
        """Color of each remaining tile by name."""
        return dict(map(self._tile_names.colored.__getitem__, self.board.tiles()))

    def pawns(self, player: int) -> tuple[str, ...]:
        """Return the tiles with a player's pawns."""
        return self._to_names(self.board.pawns(player))

    def reachable_tiles(self, pawn: str) -> tuple[str, ...]:
        """Return the tiles that a pawn of the player to move can reach."""
        return self._to_names(self.board.reachable_tiles(self._index(pawn)))

    def freedoms(self, pawn: str) -> tuple[str, ...]:
        """Return the empty tiles that touch the pawn's group."""
        return self._to_names(self.board.freedoms(self._index(pawn)))

    def pawns_in_danger(self, player: int) -> tuple[str, ...]:
        """Return a player's pawns in groups with one freedom."""
        return self._to_names(self.board.pawns_in_danger(player))

    @property
    def progress(self) -> int:
        """Number of turns played."""
        return self.turn

    @property
    def outcome(self) -> Outcome | None:
        """Outcome of the game, or None while it goes on."""
        if not self.board.over:
            return None
        winners = tuple(self.board.winners)
        return Outcome(winners, outcome_text(winners, any(self.board.pawns(p) for p in range(self.players))))

    # --- steps

    def draw_chance_step(self, rng: RandomSource) -> Step:
        """Draw a layout. The step contains its tiles, separated by spaces."""
        places = kernel.random_layout(self.size, self.players, as_random(rng).getrandbits(64))
        return Step(None, " ".join(_layout_text(*place) for place in places))

    def lay_out(self, layout: Iterable[object]) -> Position:
        """Return the position with the tiles laid out, such as `["c4R", ...]`.

        Raises InvalidInputError if the layout is illegal, and IllegalTurnError if there already is one.
        """
        if not self.awaits_chance:
            raise IllegalTurnError("the tiles are already laid out")
        tiles = [read_colored_tile(tile) for tile in layout]
        if len(tiles) != 4 * self.size:
            raise InvalidInputError(f"size {self.size} needs {4 * self.size} tiles, and this layout has {len(tiles)}")
        places = [(*read_place(name), COLORS.index(color)) for name, color in tiles]
        problem, index = kernel.Board.check_layout(places, self.players)
        if problem is not kernel.LayoutProblem.NONE:
            raise InvalidInputError(illegal_layout_text(problem, tiles[index][0] if index >= 0 else None))
        return Position(kernel.Board(places, self.players), self.size)

    def legal_turns(self, player: int | None = None) -> LegalTurns[Turn]:
        """Return all legal turns of a player; without one, those of the player to move.

        The sequence is empty if it is not that player's turn.
        """
        is_to_move = player is None or resolve_player(self, player) in self.to_move
        return LegalTurns(self.board.legal_turns() if is_to_move else (), self.decode_turn, self.encode_turn)

    def draft(self, player: int | None = None) -> Draft[Turn]:
        """Return a draft of a player's turn, in which no part has been chosen yet."""
        return Draft.of(self.legal_turns(resolve_player(self, player)))

    def play(self, turn: Turn | str | SupportsIndex, player: int | None = None) -> Position:
        """Return the position after a turn, given as such, in the notation or as the kernel's code.

        Raises InvalidInputError if the turn cannot be read, and IllegalTurnError if it is not legal.
        """
        if self.awaits_chance:
            raise IllegalTurnError("the tiles have not been laid out yet")
        player = resolve_player(self, player)
        if not isinstance(turn, Turn):
            turn = Turn.read(turn) if isinstance(turn, str) else self.decode_turn(index(turn))
        if self.board.over:
            raise IllegalTurnError("the game is over")
        if player != self.board.to_move:
            raise IllegalTurnError(f"it is {PLAYER_NAMES[self.board.to_move]}'s turn")
        played = self.board.play(self.encode_turn(turn))
        if isinstance(played, kernel.IllegalTurnReason):
            raise IllegalTurnError(illegal_turn_text(played, turn))
        names = self._tile_names
        captured = tuple([(names.names[tile], owner) for tile, owner in played.captured])
        sunk = tuple(map(names.colored.__getitem__, played.sunk))
        return Position(played.board, self.size, LastTurn(turn, captured, sunk), names)

    def apply(self, step: Step) -> Position:
        """Return the position after a step of a player or of chance. Raises LiminaError like `play` and `lay_out`."""
        return self.lay_out(step.text.split()) if step.player is None else self.play(step.text, step.player)

    def playouts(self, games: int, seed: int) -> tuple[list[int], int, list[float], int]:
        """Play random games to the end.

        Returns the sole wins of each player, the number of shared wins, the credit of each player (one per game,
        divided among its winners), and the number of turns of all games.
        """
        wins, shared, credit, turns = self.board.playouts(games, seed)
        return list(wins)[: self.players], shared, list(credit)[: self.players], turns

    def _index(self, tile: str) -> int:
        """Return the kernel's index of a tile. Raises IllegalTurnError if the layout does not have it."""
        tile_index = self._tile_names.indices.get(tile)
        if tile_index is None:
            raise _unknown_tile_error(tile)
        return tile_index

    def encode_turn(self, turn: Turn | str | SupportsIndex) -> int:
        """Return the kernel's code of a turn, which may be given in the notation or as the code itself.

        Raises InvalidInputError if it cannot be read, and IllegalTurnError if the layout does not have one of its
        tiles.
        """
        if not isinstance(turn, Turn | str):
            return index(turn)
        parts = Turn.read(turn) if isinstance(turn, str) else turn
        indices = self._tile_names.indices
        try:
            return kernel.turn_code(*[tile if tile is None else indices[tile] for tile in parts])
        except KeyError as error:
            raise _unknown_tile_error(error.args[0]) from None

    def decode_turn(self, code: int) -> Turn:
        """Return the turn of a kernel's code. Raises InvalidInputError if it is not one."""
        names = self.names
        source, target, removed = kernel.turn_parts(code & 0xFFFFFF)
        if code >> 24 or any(tile is not None and tile >= len(names) for tile in (source, target, removed)):
            raise InvalidInputError(f"{quote_truncated(code)} is not the code of a turn in this position")
        return Turn(
            None if source is None else names[source],
            None if target is None else names[target],
            None if removed is None else names[removed],
        )

    # --- output

    @property
    def position_string(self) -> str:
        """The position in one line of text, which `limit.parse_position` reads."""
        from limina.limit.position_string import format_position

        return format_position(self)

    def summary(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the state as plain values, as `limina replay --json` prints it."""
        return {
            "over": self.board.over,
            "turn": self.turn,
            "to_move": self.to_move[0] if self.to_move else None,
            "winners": list(self.board.winners),
            "tiles": sorted(name + color for name, color in self.tiles.items()),
            "pawns": {PLAYER_NAMES[player]: sorted(self.pawns(player)) for player in range(self.players)},
        }

    def scene(self, *, marks: bool = True) -> Scene:
        """Return the position for the drawings. The marks show the last turn and the pawns in danger."""
        danger = [pawn for player in range(self.players) for pawn in self.pawns_in_danger(player)] if marks else []
        last = self.last_turn if marks else None
        moved = None
        if last is not None and last.turn.source is not None and last.turn.target is not None:
            moved = read_place(last.turn.source), read_place(last.turn.target)
        return Scene(
            {read_place(name): color for name, color in self.tiles.items()}
            | ({read_place(name): color for name, color in last.sunk} if last else {}),
            {read_place(pawn): player for player in range(self.players) for pawn in self.pawns(player)},
            sunk=tuple(read_place(name) for name, _ in last.sunk) if last else (),
            captured=tuple((read_place(name), player) for name, player in last.captured) if last else (),
            moved=moved,
            danger=frozenset(read_place(pawn) for pawn in danger),
        )

    def text(self, *, color: bool = False, player: int | None = None) -> str:
        """Return the board and the player to move for a terminal."""
        # The drawings are imported late, since most programs do not draw.
        from limina.limit.draw import text

        parts = [text.draw(self.scene(), color=color)]
        counts = ", ".join(f"{PLAYER_NAMES[p]} {len(self.board.pawns(p))} pawns" for p in range(self.players))
        outcome = self.outcome
        if outcome is not None:
            parts.append(outcome.reason[0].upper() + outcome.reason[1:] + ".")
        elif self.awaits_chance:
            parts.append("The tiles have not been laid out yet.")
        else:
            parts.append(f"Turn {self.turn + 1}, {PLAYER_NAMES[self.board.to_move]} to move ({counts})")
        return "\n".join(parts)

    def svg(self, *, theme: str = "light", player: int | None = None) -> str:
        """Return the board as an SVG document."""
        from limina.limit.draw import svg

        return svg.draw(self.scene(), theme="dark" if theme == "dark" else "light")

    def __repr__(self) -> str:
        return f"<limit position: {self.players} players, {len(self.board.tiles())} tiles, turn {self.turn + 1}>"


def _unknown_tile_error(name: str) -> IllegalTurnError:
    return IllegalTurnError(f"there is no tile {quote_truncated(name)} in this game")


@lru_cache(8192)
def _layout_text(q: int, r: int, color: int) -> str:
    """Return a tile as in a layout, such as `c4R`."""
    return tile_name(q, r) + COLORS[color]


@lru_cache(8192)
def _name_and_color(q: int, r: int, color: int) -> tuple[str, str]:
    """Return a tile as name and color."""
    return tile_name(q, r), COLORS[color]
