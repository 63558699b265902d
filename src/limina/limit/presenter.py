"""Limit as a page shows it: tiles, pawns, groups in danger, legal turns with what they capture. Plain values only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from typing_extensions import TypedDict

from limina._kernel import limit as kernel
from limina.limit.notation import Turn
from limina.limit.position import Happened, Position

Pawn = tuple[str, int]
"""A tile and the player whose pawn stands, or stood, on it."""


class LimitGroup(TypedDict):
    """A group with one freedom left."""

    player: int
    pawns: list[str]
    freedoms: list[str]


class LimitLast(TypedDict):
    """What the last turn did."""

    turn: str
    source: str | None
    target: str | None
    removed: str | None
    captured: list[Pawn]
    sunk: list[tuple[str, str]]
    """Tiles that left the table, with their colors."""


class LimitEnd(TypedDict):
    """How the game ended."""

    kind: Literal["last-with-pawns", "all-captured", "repetition"]
    winners: list[int]


class LimitView(TypedDict):
    """What everybody may see."""

    turn: int
    """How many turns were played."""
    size: int
    to_move: int | None
    layout: Sequence[str]
    """All tiles as they were laid at the start, such as `c4R`."""
    tiles: dict[str, str]
    """The tiles still there, with their colors R B Y K."""
    pawns: list[list[str]]
    """For each player the tiles with their pawns."""
    danger: list[LimitGroup]
    captures_forbidden: bool
    """Whether this is one of the first turns, on which nothing may be captured."""
    last: LimitLast | None
    end: LimitEnd | None


class LimitLegal(TypedDict):
    """Every legal first part of a turn."""

    moves: dict[str, dict[str, list[Pawn]]]
    """For each pawn the tiles it may go to, each with what the move captures."""
    alone: list[str]
    """Turns without a pawn move, where there are any: `xd3`, or `-` for nothing."""


class LimitRemoval(TypedDict):
    """What removing a tile would do."""

    sunk: list[str]
    """The tile and those that leave with it."""
    captured: list[Pawn]
    danger: list[LimitGroup]
    """Groups with one freedom left after the whole turn."""


class LimitPreview(TypedDict):
    """The board as the turn, or its first part, would leave it."""

    turn: str
    complete: bool
    """Whether this is a whole turn; if not, a tile has to be removed."""
    tiles: dict[str, str]
    pawns: list[list[str]]
    captured: list[Pawn]
    sunk: list[str]
    danger: list[LimitGroup]
    """Groups with one freedom left on this board."""
    removals: dict[str, LimitRemoval]
    """The tiles that may be removed next."""


class LimitPresenter:
    """What a page is told of a position of Limit."""

    types: Mapping[str, Any] = {"view": LimitView, "legal": LimitLegal, "preview": LimitPreview}

    def view(self, position: Position, before: Position | None = None) -> LimitView:
        """What everybody may see."""
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
            "last": _last(position.happened),
            "end": _end(position),
        }

    def legal(self, position: Position, player: int) -> LimitLegal:
        """For each pawn where it may go and what that captures; turns without a pawn move as they are written."""
        moves: dict[str, dict[str, list[Pawn]]] = {}
        alone: list[str] = []
        if player in position.to_move:
            names = position.names
            for source, target, captured in position.board.moves():
                pawn = names[source]
                if pawn not in moves:
                    moves[pawn] = {}
                moves[pawn][names[target]] = _named(captured, names) if captured else []
            alone = [str(turn) for turn in position.legal_turns() if turn.source is None] if not moves else []
        return {"moves": moves, "alone": alone}

    def preview(self, position: Position, player: int, turn: str) -> LimitPreview:
        """After a pawn move alone the tiles that may be removed, each with what that would do; else the board after."""
        read = Turn.read(turn)
        if read.source is not None and read.removed is None and player in position.to_move:
            removals = position.board.completions(position.encode(read))
            if removals:
                return _half(position, read, removals)
        after = position.play(read, player)
        happened = after.happened
        assert happened is not None  # a turn was just played
        return {
            "turn": str(read),
            "complete": True,
            "tiles": after.tiles,
            "pawns": _pawns(after.board, after.names),
            "captured": list(happened.captured),
            "sunk": [tile for tile, _ in happened.sunk],
            "danger": _danger(after.board, after.names),
            "removals": {},
        }

    def scores(self, position: Position) -> list[int]:
        """The pawns that are left, or that there will be."""
        if position.awaits_chance:
            return [position.size] * position.players
        return [len(position.board.pawns(player)) for player in range(position.players)]


def _half(position: Position, turn: Turn, completions: Sequence[kernel.PlayedTurn]) -> LimitPreview:
    """The board between the two parts of a turn."""
    board, names, code = position.board, position.names, position.encode(turn)
    halfway = board.halfway(code)
    removals: dict[str, LimitRemoval] = {}
    for played in completions:
        removed = position.decode(played.turn).removed
        assert removed is not None  # all of them remove a tile
        removals[removed] = {
            "sunk": [names[tile] for tile in played.sunk],
            "captured": _named((*played.captured_enemies, *played.captured_friends), names),
            "danger": _danger(played.board, names),
        }
    return {
        "turn": str(turn),
        "complete": False,
        "tiles": position.tiles,
        "pawns": _pawns(halfway, names),
        "captured": _named(board.captures(code), names),
        "sunk": [],
        "danger": _danger(halfway, names),
        "removals": removals,
    }


def _named(pawns: Iterable[tuple[int, int]], names: Sequence[str]) -> list[Pawn]:
    return [(names[tile], player) for tile, player in pawns]


def _pawns(board: kernel.Board, names: Sequence[str]) -> list[list[str]]:
    return [[names[tile] for tile in board.pawns(player)] for player in range(board.players)]


def _danger(board: kernel.Board, names: Sequence[str]) -> list[LimitGroup]:
    return [
        {"player": player, "pawns": [names[pawn] for pawn in pawns], "freedoms": [names[freedom]]}
        for player, pawns, freedom in board.dangers()
    ]


def _last(happened: Happened | None) -> LimitLast | None:
    if happened is None:
        return None
    return {
        "turn": str(happened.turn),
        "source": happened.turn.source,
        "target": happened.turn.target,
        "removed": happened.turn.removed,
        "captured": list(happened.captured),
        "sunk": list(happened.sunk),
    }


def _end(position: Position) -> LimitEnd | None:
    if not position.board.over:
        return None
    winners = position.board.winners
    kind: Literal["last-with-pawns", "all-captured", "repetition"] = "all-captured"
    if any(position.board.pawns(player) for player in range(position.players)):
        kind = "last-with-pawns" if len(winners) == 1 else "repetition"
    return {"kind": kind, "winners": list(winners)}
