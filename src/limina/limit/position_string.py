"""A position in one line of text: players, turns played, who is to move, all tiles as they were laid.

`2 3 red a2R0,b1B-,b2K,...`: red is to move after three turns, a pawn of player 0 stands on a2, b1 is gone and b2 empty.
After that player follow the winners once the game is over, `red=blue` or `red=red+blue`. What the ruling on repetition
has to remember follows, if there is anything: the ends of turns as `turn.player.tiles.pawns.pawns.pawns`, sets as
hexadecimal numbers over the tiles in their order. Before the tiles are laid it is `2 size:8`.
"""

from __future__ import annotations

import re

from limina._kernel import limit as kernel
from limina.core.validation import expect_str, quote_truncated
from limina.errors import InvalidInputError
from limina.limit.companion.position import together
from limina.limit.illegal_turn_text import PLAYER_NAMES
from limina.limit.notation import read_place
from limina.limit.position import Position

_LONGEST = 10_000_000
_TILE = re.compile(r"([a-z][0-9]{1,2}[RBYK])([012-]?)", re.ASCII)
_UNLAID = re.compile(r"([23]) size:([0-9]{1,2})", re.ASCII)
_END = re.compile(r"[0-9]{1,9}\.[012](\.[0-9a-f]{1,16}){4}", re.ASCII)
_HEAD = re.compile(r"([23]) ([0-9]{1,9}) ([a-z]+)(?:=([a-z]+(?:\+[a-z]+)*))?", re.ASCII)


def write_position(position: Position) -> str:
    """Return the position string of a position."""
    if position.awaits_chance:
        return f"{position.players} size:{position.size}"
    board = position.board
    _, players, (tiles, pawns, turn, to_move, over, _), ends = board.__getstate__()
    won = "=" + "+".join(PLAYER_NAMES[player] for player in board.winners) if over else ""
    marks = []
    for number, tile in enumerate(position.layout):
        owners = [str(player) for player in range(players) if pawns[player] >> number & 1]
        marks.append(tile + ("".join(owners) if tiles >> number & 1 else "-"))
    past = [f"{end[2]}.{end[3]}.{end[0]:x}." + ".".join(f"{each:x}" for each in end[1]) for end in ends]
    return " ".join([str(players), str(turn), PLAYER_NAMES[to_move] + won, ",".join(marks), *past])


def position(text: str) -> Position:
    """The position that a line stands for.

    >>> position("2 size:8").awaits_chance
    True
    """
    fields = expect_str(text, "a position").split() if len(text) <= _LONGEST else []
    unlaid = _UNLAID.fullmatch(" ".join(fields))
    if unlaid is not None and 4 <= int(unlaid[2]) <= 16:
        return Position.start(int(unlaid[2]), int(unlaid[1]))
    head = _HEAD.fullmatch(" ".join(fields[:3]))
    if head is None or len(fields) < 4:
        raise InvalidInputError(
            f"{quote_truncated(text)} is not a position: write the players, the turn, who moves and all tiles"
        )
    players = int(head[1])
    winners = head[4].split("+") if head[4] else []
    for name in (head[3], *winners):
        if name not in PLAYER_NAMES[:players]:
            raise InvalidInputError(
                f"{quote_truncated(name)} is not a player: they are {', '.join(PLAYER_NAMES[:players])}"
            )
    marks = [_TILE.fullmatch(tile) for tile in fields[3].split(",")]
    for tile, mark in zip(fields[3].split(","), marks, strict=True):
        if mark is None:
            raise InvalidInputError(
                f"{quote_truncated(tile)} is not a tile of a position: write it as c4R, c4R0 or c4R-"
            )
    found = {mark[1]: mark[2] for mark in marks if mark is not None}
    laid = Position.from_layout(found, players)
    tiles = sum(1 << number for number, tile in enumerate(laid.layout) if found[tile] != "-")
    pawns = tuple(
        sum(1 << number for number, tile in enumerate(laid.layout) if found[tile] == str(player)) for player in range(3)
    )
    if not together({read_place(tile[:-1]) for tile in found if found[tile] != "-"}):
        raise InvalidInputError("the tiles still there must be connected")
    won = sum(1 << PLAYER_NAMES.index(name) for name in set(winners))
    state = (tiles, pawns, int(head[2]), PLAYER_NAMES.index(head[3]), bool(winners), won)
    board = kernel.Board.__new__(kernel.Board)
    try:
        board.__setstate__((laid.board.places(), players, state, [_end(end) for end in fields[4:]]))
    except (ValueError, TypeError):
        raise InvalidInputError(f"{quote_truncated(text)} is not a position that can come about") from None
    return Position(board, laid.size)


def _end(text: str) -> tuple[int, tuple[int, int, int], int, int, bool, int]:
    if not _END.fullmatch(text):
        raise InvalidInputError(f"{quote_truncated(text)} is not the end of a turn")
    turn, player, *sets = text.split(".")
    tiles, first, second, third = (int(each, 16) for each in sets)
    return tiles, (first, second, third), int(turn), int(player), False, 0
