"""A position of Limit: the tiles still there, the pawns on them, and whose turn it is."""

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
from limina.limit.illegal_turn_text import PLAYER_NAMES, how_it_ended, why_not, why_not_laid
from limina.limit.notation import Turn, name_of, read_laid, read_place

COLORS = "RBYK"


@dataclass(frozen=True, slots=True)
class Happened:
    """What the last turn did, so that it can be shown."""

    turn: Turn
    captured: tuple[tuple[str, int], ...]
    """Captured pawns: the tile and the player who lost it."""
    sunk: tuple[tuple[str, str], ...]
    """Tiles that left the table, with their colors."""


class _TileNames:
    """What all positions on one layout share. By the kernel's numbers for the tiles, unless it says otherwise."""

    __slots__ = ("colored", "names", "numbers", "tiles")

    def __init__(self, board: kernel.Board) -> None:
        places = board.places()
        self.names = tuple([name_of(q, r) for q, r, _ in places])
        self.numbers = {name: number for number, name in enumerate(self.names)}
        """The numbers by the names."""
        self.tiles = tuple([_laid(*place) for place in places])
        """As they were laid, such as `c4R`."""
        self.colored = tuple([_colored(*place) for place in places])
        """The names with the colors."""


@dataclass(frozen=True, slots=True)
class Position(ImmutablePositionMixin):
    """Where a game of Limit stands.

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
    """The pawns that each player begins with."""
    happened: Happened | None = field(default=None, compare=False)
    _known: _TileNames | None = field(default=None, compare=False)
    """Made once for a whole game, when it is first asked for: it costs more than a turn."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Position, (self.board, self.size, self.happened)

    @classmethod
    def start(cls, size: int = 8, players: int = 2) -> Position:
        """The position before the tiles are laid."""
        return cls(kernel.Board.empty(players), size)

    @classmethod
    def from_layout(cls, layout: Iterable[object], players: int = 2) -> Position:
        """The position on a layout such as `["c4R", ...]`."""
        tiles = list(layout)
        return cls.start(len(tiles) // 4, players).lay(tiles)

    @classmethod
    def random(cls, size: int = 8, players: int = 2, *, rng: RandomSource) -> Position:
        """The position on a layout dealt at random."""
        start = cls.start(size, players)
        return start.apply(start.chance(rng))

    # --- where it stands

    @property
    def _tile_names(self) -> _TileNames:
        known = self._known
        if known is None:
            known = _TileNames(self.board)
            object.__setattr__(self, "_known", known)
        return known

    @property
    def names(self) -> tuple[str, ...]:
        """The tile's names by the kernel's numbers for them."""
        return self._tile_names.names

    def _named(self, tiles: Iterable[int]) -> tuple[str, ...]:
        return tuple(map(self.names.__getitem__, tiles))

    @property
    def layout(self) -> tuple[str, ...]:
        """All tiles as they were laid at the start, such as `c4R`."""
        return self._tile_names.tiles

    @property
    def players(self) -> int:
        """The number of players."""
        return self.board.players

    @property
    def turn(self) -> int:
        """The number of turns played."""
        return self.board.turn

    @property
    def to_move(self) -> tuple[int, ...]:
        """The player whose turn it is."""
        return () if self.board.over or self.awaits_chance else (self.board.to_move,)

    @property
    def awaits_chance(self) -> bool:
        """Whether the tiles have to be laid; that is all that chance does."""
        return not (self._known or self._tile_names).names

    @property
    def tiles(self) -> dict[str, str]:
        """The tiles still there, each with its color."""
        return dict(map(self._tile_names.colored.__getitem__, self.board.tiles()))

    def pawns(self, player: int) -> tuple[str, ...]:
        """The tiles on which a player's pawns stand."""
        return self._named(self.board.pawns(player))

    def reach(self, pawn: str) -> tuple[str, ...]:
        """The tiles that a pawn of the player to move can reach."""
        return self._named(self.board.reach(self._number(pawn)))

    def freedoms(self, pawn: str) -> tuple[str, ...]:
        """The empty tiles that touch the pawn's group."""
        return self._named(self.board.freedoms(self._number(pawn)))

    def in_danger(self, player: int) -> tuple[str, ...]:
        """A player's pawns in groups with one freedom."""
        return self._named(self.board.in_danger(player))

    @property
    def progress(self) -> int:
        """How many turns are complete."""
        return self.turn

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        if not self.board.over:
            return None
        winners = tuple(self.board.winners)
        return Outcome(winners, how_it_ended(winners, any(self.board.pawns(p) for p in range(self.players))))

    # --- how it goes on

    def chance(self, rng: RandomSource) -> Step:
        """A layout of all tiles, separated by spaces."""
        laid = kernel.random_layout(self.size, self.players, as_random(rng).getrandbits(64))
        return Step(None, " ".join(_laid(*place) for place in laid))

    def lay(self, layout: Iterable[object]) -> Position:
        """Lay the tiles, such as `["c4R", ...]`."""
        if not self.awaits_chance:
            raise IllegalTurnError("nothing is left to chance once the tiles are laid")
        laid = [read_laid(tile) for tile in layout]
        if len(laid) != 4 * self.size:
            raise InvalidInputError(f"size {self.size} needs {4 * self.size} tiles, this layout has {len(laid)}")
        places = [(*read_place(name), COLORS.index(color)) for name, color in laid]
        problem, place = kernel.Board.check_layout(places, self.players)
        if problem is not kernel.LayoutProblem.NONE:
            raise InvalidInputError(why_not_laid(problem, laid[place][0] if place >= 0 else None))
        return Position(kernel.Board(places, self.players), self.size)

    def legal_turns(self, player: int | None = None) -> LegalTurns[Turn]:
        """Every legal turn of the player to move; of any other player, none."""
        mine = player is None or resolve_player(self, player) in self.to_move
        return LegalTurns(self.board.legal_turns() if mine else (), self.decode, self.encode)

    def draft(self, player: int | None = None) -> Draft[Turn]:
        """A turn to be chosen part by part."""
        return Draft.of(self.legal_turns(resolve_player(self, player)))

    def play(self, turn: Turn | str | SupportsIndex, player: int | None = None) -> Position:
        """Play a turn, also by its notation or number, for the player to move."""
        if self.awaits_chance:
            raise IllegalTurnError("the tiles have not been laid yet")
        player = resolve_player(self, player)
        if not isinstance(turn, Turn):
            turn = Turn.read(turn) if isinstance(turn, str) else self.decode(index(turn))
        if self.board.over:
            raise IllegalTurnError("the game is over")
        if player != self.board.to_move:
            raise IllegalTurnError(f"it is {PLAYER_NAMES[self.board.to_move]}'s turn")
        played = self.board.play(self.encode(turn))
        if isinstance(played, kernel.Problem):
            raise IllegalTurnError(why_not(played, turn))
        known = self._tile_names
        captured = tuple([(known.names[tile], owner) for tile, owner in played.captured])
        gone = tuple(map(known.colored.__getitem__, played.sunk))
        return Position(played.board, self.size, Happened(turn, captured, gone), known)

    def apply(self, step: Step) -> Position:
        """Do what a step says: lay the tiles, or play a turn."""
        return self.lay(step.text.split()) if step.player is None else self.play(step.text, step.player)

    def playouts(self, games: int, seed: int) -> tuple[list[int], int, list[float], int]:
        """Random play to the end: wins of each player alone, shared wins, credit of each player, turns in all."""
        wins, shared, credit, turns = self.board.playouts(games, seed)
        return list(wins)[: self.players], shared, list(credit)[: self.players], turns

    def _number(self, tile: str) -> int:
        number = self._tile_names.numbers.get(tile)
        if number is None:
            raise _no_tile(tile)
        return number

    def encode(self, turn: Turn | str | SupportsIndex) -> int:
        """The kernel's number of a turn, of its notation, or such a number itself."""
        if not isinstance(turn, Turn | str):
            return index(turn)
        read = Turn.read(turn) if isinstance(turn, str) else turn
        numbers = self._tile_names.numbers
        try:
            return kernel.turn_code(*[tile if tile is None else numbers[tile] for tile in read])
        except KeyError as unknown:
            raise _no_tile(unknown.args[0]) from None

    def decode(self, code: int) -> Turn:
        """The turn that the kernel's number stands for."""
        names = self.names
        source, target, removed = kernel.turn_parts(code & 0xFFFFFF)
        if code >> 24 or any(tile is not None and tile >= len(names) for tile in (source, target, removed)):
            raise InvalidInputError(f"{quote_truncated(code)} is not the number of a turn")
        return Turn(
            None if source is None else names[source],
            None if target is None else names[target],
            None if removed is None else names[removed],
        )

    # --- how it looks

    @property
    def position_string(self) -> str:
        """The position in one line of text; `limit.position` reads it back."""
        from limina.limit.position_string import write_position

        return write_position(self)

    def summary(self, names: Sequence[str]) -> dict[str, Any]:
        """Where the game stands, as `limina replay --json` prints it."""
        return {
            "over": self.board.over,
            "turn": self.turn,
            "to_move": self.to_move[0] if self.to_move else None,
            "winners": list(self.board.winners),
            "tiles": sorted(name + color for name, color in self.tiles.items()),
            "pawns": {PLAYER_NAMES[player]: sorted(self.pawns(player)) for player in range(self.players)},
        }

    def scene(self, *, marks: bool = True) -> Scene:
        """The position as a drawing takes it; with marks, what the last turn did and who is in danger."""
        danger = [pawn for player in range(self.players) for pawn in self.in_danger(player)] if marks else []
        last = self.happened if marks else None
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
        """The board for a terminal, and whose turn it is."""
        # The drawings are loaded when something is drawn: most programs never look.
        from limina.limit.draw import text

        parts = [text.draw(self.scene(), color=color)]
        counts = ", ".join(f"{PLAYER_NAMES[p]} {len(self.board.pawns(p))} pawns" for p in range(self.players))
        outcome = self.outcome
        if outcome is not None:
            parts.append(outcome.reason[0].upper() + outcome.reason[1:] + ".")
        elif self.awaits_chance:
            parts.append("The tiles have not been laid yet.")
        else:
            parts.append(f"Turn {self.turn + 1}, {PLAYER_NAMES[self.board.to_move]} to move ({counts})")
        return "\n".join(parts)

    def svg(self, *, theme: str = "light", player: int | None = None) -> str:
        """The board as a picture."""
        from limina.limit.draw import svg

        return svg.draw(self.scene(), theme="dark" if theme == "dark" else "light")

    def __repr__(self) -> str:
        return f"<limit position: {self.players} players, {len(self.board.tiles())} tiles, turn {self.turn + 1}>"


def _no_tile(name: str) -> IllegalTurnError:
    return IllegalTurnError(f"there is no tile {quote_truncated(name)} in this game")


@lru_cache(8192)
def _laid(q: int, r: int, color: int) -> str:
    """A tile as it is laid, such as `c4R`."""
    return name_of(q, r) + COLORS[color]


@lru_cache(8192)
def _colored(q: int, r: int, color: int) -> tuple[str, str]:
    """A tile's name and its color."""
    return name_of(q, r), COLORS[color]
