"""A real table of Limit: layouts to lay out, and positions that somebody has entered."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Literal

from typing_extensions import TypedDict

from limina.core.validation import (
    expect_bool,
    expect_int,
    expect_list,
    expect_str,
    quote_truncated,
    reject_unknown_keys,
)
from limina.errors import InvalidInputError
from limina.limit import rules
from limina.limit.companion.position import MOST_SIZE, board_of, together
from limina.limit.notation import read_laid, read_place
from limina.limit.position import Position
from limina.limit.presenter import LimitPresenter, LimitView

Problem = Literal["no-tiles", "apart", "no-pawns", "one-player", "no-freedom", "impossible"]
_MOST_SEED = 10**9


class LimitCompanionState(TypedDict):
    """What lies, or is to lie, on a real table."""

    problem: Problem | None
    """Why nobody can move here."""
    view: LimitView | None
    """The position; of one that was entered, tiles that are gone are made up."""


class LimitCompanionJudge:
    """Deals layouts, and looks at positions.

    >>> dealt = LimitCompanionJudge().judge({"players": 2, "size": 4, "seed": 7})["view"]
    >>> len(dealt["tiles"])
    16
    """

    result_type = LimitCompanionState

    def judge(self, table: Mapping[str, Any]) -> LimitCompanionState:
        """`{"players", "size", "seed"}` deals a layout, the same for the same seed; `{"players", "tiles", "pawns",
        "to_move", "first"?, "layout"?}` is a position."""
        if "seed" in table:
            return {"problem": None, "view": LimitPresenter().view(_dealt(table))}
        found = self._look(table)
        if isinstance(found, str):
            return {"problem": found, "view": None}
        return {"problem": None, "view": LimitPresenter().view(found)}

    def position(self, table: Mapping[str, Any]) -> Position:
        """The position that was entered."""
        found = self._look(table)
        if isinstance(found, str):
            raise InvalidInputError(f"nobody can move here: {found}")
        return found

    def _look(self, table: Mapping[str, Any]) -> Position | Problem:
        reject_unknown_keys(table, ("players", "tiles", "pawns", "to_move", "first", "layout"), "this table")
        players = _players(table)
        tiles = _tiles(table.get("tiles"), 4 * MOST_SIZE, "tiles")
        pawns = [_tiles(each, MOST_SIZE, "pawns") for each in expect_list(table.get("pawns"), "pawns")]
        to_move = expect_int(table.get("to_move"), "to_move", range(players))
        layout = [
            "".join(read_laid(tile)) for tile in expect_list(table.get("layout", []), "layout")[: 4 * MOST_SIZE + 1]
        ]
        first = expect_bool(table.get("first", False), "first")
        standing = [tile for each in pawns for tile in each]
        if len(pawns) != players or len(set(standing)) < len(standing) or not set(standing) <= set(tiles):
            raise InvalidInputError(f"each of the {players} players has pawns, every one alone on a tile")
        if not tiles:
            return "no-tiles"
        if not together([read_place(tile) for tile in tiles]):
            return "apart"
        if not pawns[to_move]:
            return "no-pawns"
        if sum(map(bool, pawns)) < 2:
            return "one-player"
        try:
            position = board_of(tiles, pawns, to_move, first=first, layout=layout)
        except InvalidInputError:
            return "impossible"
        return position if all(map(position.freedoms, standing)) else "no-freedom"


def _dealt(table: Mapping[str, Any]) -> Position:
    reject_unknown_keys(table, ("players", "size", "seed"), "this table")
    players = _players(table)
    size = expect_int(table.get("size"), "size", range(4, MOST_SIZE + 1))
    seed = expect_int(table.get("seed"), "seed", range(_MOST_SEED + 1))
    setup = rules.GAME.setup(Random(seed), players, size=size)
    return setup.start.apply(setup.deal[0])


def _players(table: Mapping[str, Any]) -> int:
    return expect_int(table.get("players"), "players", range(2, 4))


def _tiles(value: object, most: int, what: str) -> list[str]:
    tiles = expect_list(value, what)
    if len(tiles) > most:
        raise InvalidInputError(f"there are up to {most} {what}, not {len(tiles)}")
    for tile in tiles:
        read_laid(expect_str(tile, "a tile") + "R")  # says what is no tile
    if len(set(tiles)) < len(tiles):
        raise InvalidInputError(
            f"the {what} name {quote_truncated(next(t for t in tiles if tiles.count(t) > 1))} twice"
        )
    return tiles
