"""Positions of Limit for web pages: tiles, pawns, groups in danger, and legal turns with their captures.

All values are plain values for JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from typing_extensions import TypedDict

from limina._kernel import limit as kernel
from limina.limit.notation import Turn
from limina.limit.position import LastTurn, Position

Pawn = tuple[str, int]
"""A tile, and the player whose pawn is or was on it."""


class LimitGroup(TypedDict):
    """A group with one freedom."""

    player: int
    pawns: list[str]
    freedoms: list[str]


class LimitLast(TypedDict):
    """The last turn and its effects."""

    turn: str
    source: str | None
    target: str | None
    removed: str | None
    captured: list[Pawn]
    sunk: list[tuple[str, str]]
    """Sunk tiles, as name and color."""


class LimitEnd(TypedDict):
    """The end of a game."""

    kind: Literal["last-with-pawns", "all-captured", "repetition"]
    winners: list[int]


class LimitView(TypedDict):
    """A position. All players may see all of it."""

    turn: int
    """Number of turns played."""
    size: int
    to_move: int | None
    layout: Sequence[str]
    """All tiles at the start, such as `c4R`."""
    tiles: dict[str, str]
    """Color of each remaining tile by name: R, B, Y or K."""
    pawns: list[list[str]]
    """Tiles with pawns, for each player."""
    danger: list[LimitGroup]
    captures_forbidden: bool
    """True on the first turns, of all players but the last. Nothing may be captured then."""
    last: LimitLast | None
    end: LimitEnd | None


class LimitLegal(TypedDict):
    """All legal turns, with their pawn moves."""

    moves: dict[str, dict[str, list[Pawn]]]
    """Legal targets of each pawn, each with the pawns that the move captures."""
    alone: list[str]
    """Turns without a pawn move, such as `xd3`, or `-` for a pass. Empty if a pawn can move."""


class LimitRemoval(TypedDict):
    """Effects of removing a tile."""

    sunk: list[str]
    """The removed tile and the tiles that sink with it."""
    captured: list[Pawn]
    danger: list[LimitGroup]
    """Groups with one freedom after the whole turn."""


class LimitPreview(TypedDict):
    """The board after a turn or after its pawn move."""

    turn: str
    complete: bool
    """True for a whole turn, false if a tile has to be removed next."""
    tiles: dict[str, str]
    pawns: list[list[str]]
    captured: list[Pawn]
    sunk: list[str]
    danger: list[LimitGroup]
    """Groups with one freedom on this board."""
    removals: dict[str, LimitRemoval]
    """Tiles that can be removed next, with the effects."""


class LimitPresenter:
    """Describes positions of Limit for web pages."""

    types: Mapping[str, Any] = {"view": LimitView, "legal": LimitLegal, "preview": LimitPreview}

    def view(self, position: Position, before: Position | None = None) -> LimitView:
        """Return the position."""
        board = position.board
        return {
            "turn": board.turn,
            "size": position.size,
            "to_move": next(iter(position.to_move), None),
            "layout": position.layout,
            "tiles": position.tiles,
            "pawns": _pawns(board, position.names),
            "danger": _danger(board, position.names),
            "captures_forbidden": board.captures_forbidden,
            "last": _last(position.last_turn),
            "end": _end(position),
        }

    def legal(self, position: Position, player: int) -> LimitLegal:
        """Return the legal turns of a player. There are none if it is not that player's turn."""
        moves: dict[str, dict[str, list[Pawn]]] = {}
        alone: list[str] = []
        if player in position.to_move:
            names = position.names
            for source, target, captured in position.board.pawn_moves():
                pawn = names[source]
                if pawn not in moves:
                    moves[pawn] = {}
                moves[pawn][names[target]] = _to_pawns(captured, names) if captured else []
            alone = [str(turn) for turn in position.legal_turns() if turn.source is None] if not moves else []
        return {"moves": moves, "alone": alone}

    def preview(self, position: Position, player: int, turn: str) -> LimitPreview:
        """Return the board after a turn, or after its pawn move if a tile has to be removed then.

        Raises InvalidInputError if the turn cannot be read, and IllegalTurnError if it is not legal.
        """
        parsed = Turn.read(turn)
        if parsed.source is not None and parsed.removed is None and player in position.to_move:
            completions = position.board.completions(position.encode_turn(parsed))
            if completions:
                return _preview_move(position, parsed, completions)
        after = position.play(parsed, player)
        last_turn = after.last_turn
        assert last_turn is not None  # a turn was just played
        return {
            "turn": str(parsed),
            "complete": True,
            "tiles": after.tiles,
            "pawns": _pawns(after.board, after.names),
            "captured": list(last_turn.captured),
            "sunk": [tile for tile, _ in last_turn.sunk],
            "danger": _danger(after.board, after.names),
            "removals": {},
        }

    def scores(self, position: Position) -> list[int]:
        """Return the number of pawns of each player."""
        if position.awaits_chance:
            return [position.size] * position.players
        return [len(position.board.pawns(player)) for player in range(position.players)]


def _preview_move(position: Position, turn: Turn, completions: Sequence[kernel.PlayedTurn]) -> LimitPreview:
    """Return the board after a pawn move, before a tile is removed."""
    board, names, code = position.board, position.names, position.encode_turn(turn)
    halfway = board.after_pawn_move(code)
    removals: dict[str, LimitRemoval] = {}
    for played in completions:
        removed = position.decode_turn(played.turn).removed
        assert removed is not None  # all of them remove a tile
        removals[removed] = {
            "sunk": [names[tile] for tile in played.sunk],
            "captured": _to_pawns((*played.captured_enemies, *played.captured_friends), names),
            "danger": _danger(played.board, names),
        }
    return {
        "turn": str(turn),
        "complete": False,
        "tiles": position.tiles,
        "pawns": _pawns(halfway, names),
        "captured": _to_pawns(board.captures(code), names),
        "sunk": [],
        "danger": _danger(halfway, names),
        "removals": removals,
    }


def _to_pawns(pawns: Iterable[tuple[int, int]], names: Sequence[str]) -> list[Pawn]:
    return [(names[tile], player) for tile, player in pawns]


def _pawns(board: kernel.Board, names: Sequence[str]) -> list[list[str]]:
    return [[names[tile] for tile in board.pawns(player)] for player in range(board.players)]


def _danger(board: kernel.Board, names: Sequence[str]) -> list[LimitGroup]:
    return [
        {"player": player, "pawns": [names[pawn] for pawn in pawns], "freedoms": [names[freedom]]}
        for player, pawns, freedom in board.endangered_groups()
    ]


def _last(last_turn: LastTurn | None) -> LimitLast | None:
    if last_turn is None:
        return None
    return {
        "turn": str(last_turn.turn),
        "source": last_turn.turn.source,
        "target": last_turn.turn.target,
        "removed": last_turn.turn.removed,
        "captured": list(last_turn.captured),
        "sunk": list(last_turn.sunk),
    }


def _end(position: Position) -> LimitEnd | None:
    if not position.board.over:
        return None
    winners = position.board.winners
    kind: Literal["last-with-pawns", "all-captured", "repetition"] = "all-captured"
    if any(position.board.pawns(player) for player in range(position.players)):
        kind = "last-with-pawns" if len(winners) == 1 else "repetition"
    return {"kind": kind, "winners": list(winners)}
