"""The position string: a position in one line of text.

It contains the number of players, the number of turns played, the player to move, and all tiles of the layout. In
`2 3 red a2R0,b1B-,b2K,...`, red is to move after three turns. A pawn of player 0 is on a2, b1 was removed, and b2 is
empty. Once the game is over, the winners follow the player: `red=blue` or `red=red+blue`.

The positions that the ruling on repetition has to remember come last, as `turn.player.tiles.pawns.pawns.pawns`. Tiles
and pawns are bit sets over the tiles of the layout, as hexadecimal numbers. Before the tiles are laid out, the string
is `2 size:8`.
"""

from __future__ import annotations

import re

from limina._kernel import limit as kernel
from limina.core.validation import expect_str, quote_truncated
from limina.errors import InvalidInputError
from limina.limit.companion.position import is_connected
from limina.limit.illegal_turn_text import PLAYER_NAMES
from limina.limit.notation import read_place
from limina.limit.position import Position

_MAX_LENGTH = 10_000_000
_TILE = re.compile(r"([a-z][0-9]{1,2}[RBYK])([012-]?)", re.ASCII)
_WITHOUT_LAYOUT = re.compile(r"([23]) size:([0-9]{1,2})", re.ASCII)
_PAST_POSITION = re.compile(r"[0-9]{1,9}\.[012](\.[0-9a-f]{1,16}){4}", re.ASCII)
_HEAD = re.compile(r"([23]) ([0-9]{1,9}) ([a-z]+)(?:=([a-z]+(?:\+[a-z]+)*))?", re.ASCII)


def format_position(position: Position) -> str:
    """Return the position string of a position."""
    if position.awaits_chance:
        return f"{position.players} size:{position.size}"
    board = position.board
    _, players, (tiles, pawns, turn, to_move, over, _), past_states = board.__getstate__()
    winners = "=" + "+".join(PLAYER_NAMES[player] for player in board.winners) if over else ""
    marked_tiles = []
    for index, tile in enumerate(position.layout):
        owners = [str(player) for player in range(players) if pawns[player] >> index & 1]
        marked_tiles.append(tile + ("".join(owners) if tiles >> index & 1 else "-"))
    past = [
        f"{past_turn}.{past_player}.{past_tiles:x}." + ".".join(f"{pawn_set:x}" for pawn_set in past_pawns)
        for past_tiles, past_pawns, past_turn, past_player, _, _ in past_states
    ]
    return " ".join([str(players), str(turn), PLAYER_NAMES[to_move] + winners, ",".join(marked_tiles), *past])


def parse_position(text: str) -> Position:
    """Return the position that a position string describes. Raises InvalidInputError if it is not one.

    >>> parse_position("2 size:8").awaits_chance
    True
    """
    text = expect_str(text, "a position")
    fields = text.split() if len(text) <= _MAX_LENGTH else []
    without_layout = _WITHOUT_LAYOUT.fullmatch(" ".join(fields))
    if without_layout is not None and 4 <= int(without_layout[2]) <= 16:
        return Position.start(int(without_layout[2]), int(without_layout[1]))
    head = _HEAD.fullmatch(" ".join(fields[:3]))
    if head is None or len(fields) < 4:
        raise InvalidInputError(
            f"{quote_truncated(text)} is not a position: write the number of players, the turn, the player to move and "
            "all tiles"
        )
    players = int(head[1])
    winners = head[4].split("+") if head[4] else []
    for name in (head[3], *winners):
        if name not in PLAYER_NAMES[:players]:
            raise InvalidInputError(
                f"{quote_truncated(name)} is not a player: choose from {', '.join(PLAYER_NAMES[:players])}"
            )
    marks = {}
    for tile in fields[3].split(","):
        match = _TILE.fullmatch(tile)
        if match is None:
            raise InvalidInputError(
                f"{quote_truncated(tile)} is not a tile of a position: write it as c4R, c4R0 or c4R-"
            )
        marks[match[1]] = match[2]
    start = Position.from_layout(marks, players)
    tiles = sum(1 << index for index, tile in enumerate(start.layout) if marks[tile] != "-")
    pawns = tuple(
        sum(1 << index for index, tile in enumerate(start.layout) if marks[tile] == str(player)) for player in range(3)
    )
    if not is_connected({read_place(tile[:-1]) for tile in marks if marks[tile] != "-"}):
        raise InvalidInputError("the remaining tiles must be connected")
    winner_set = sum(1 << PLAYER_NAMES.index(name) for name in set(winners))
    state = (tiles, pawns, int(head[2]), PLAYER_NAMES.index(head[3]), bool(winners), winner_set)
    board = kernel.Board.__new__(kernel.Board)
    try:
        board.__setstate__((start.board.places(), players, state, [_read_past(past) for past in fields[4:]]))
    except (ValueError, TypeError):
        raise InvalidInputError(f"no game can lead to the position {quote_truncated(text)}") from None
    return Position(board, start.size)


def _read_past(text: str) -> tuple[int, tuple[int, int, int], int, int, bool, int]:
    """Return the state of a past position for the kernel."""
    if not _PAST_POSITION.fullmatch(text):
        raise InvalidInputError(
            f"{quote_truncated(text)} is not a past position: write it as turn.player.tiles.pawns.pawns.pawns"
        )
    turn, player, *sets = text.split(".")
    tiles, first, second, third = (int(bit_set, 16) for bit_set in sets)
    return tiles, (first, second, third), int(turn), int(player), False, 0
