"""Physical games of Limit: random layouts to lay out, and positions that players enter."""

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
from limina.limit.companion.position import MAX_SIZE, is_connected, position_from_pieces
from limina.limit.notation import read_colored_tile, read_place
from limina.limit.position import Position
from limina.limit.presenter import LimitPresenter, LimitView

Problem = Literal["no-tiles", "apart", "no-pawns", "one-player", "no-freedom", "impossible"]
_MAX_SEED = 10**9


class LimitCompanionState(TypedDict):
    """The position of a physical game, or the problem with it."""

    problem: Problem | None
    """Reason why no player can move, or null."""
    view: LimitView | None
    """The position, or null if there is a problem. For an entered position, removed tiles are invented."""


class LimitCompanionJudge:
    """Deals layouts and judges entered positions.

    >>> state = LimitCompanionJudge().judge({"players": 2, "size": 4, "seed": 7})
    >>> len(state["view"]["tiles"])
    16
    """

    result_type = LimitCompanionState

    def judge(self, entry: Mapping[str, Any]) -> LimitCompanionState:
        """Return a dealt layout or the entered position. Raises InvalidInputError if the entry is invalid.

        `{"players", "size", "seed"}` deals a layout; equal entries get equal layouts. `{"players", "tiles", "pawns",
        "to_move", "first"?, "layout"?}` enters a position.
        """
        if "seed" in entry:
            return {"problem": None, "view": LimitPresenter().view(_deal(entry))}
        position = _read_entry(entry)
        if isinstance(position, str):
            return {"problem": position, "view": None}
        return {"problem": None, "view": LimitPresenter().view(position)}

    def position(self, entry: Mapping[str, Any]) -> Position:
        """Return the entered position. Raises InvalidInputError if no player can move in it."""
        position = _read_entry(entry)
        if isinstance(position, str):
            raise InvalidInputError(f"no player can move in this position: {position}")
        return position


def _read_entry(entry: Mapping[str, Any]) -> Position | Problem:
    reject_unknown_keys(entry, ("players", "tiles", "pawns", "to_move", "first", "layout"), "this position")
    players = _read_players(entry)
    tiles = _read_tiles(entry.get("tiles"), 4 * MAX_SIZE, "tiles")
    pawns = [_read_tiles(own, MAX_SIZE, "pawns") for own in expect_list(entry.get("pawns"), "pawns")]
    to_move = expect_int(entry.get("to_move"), "to_move", range(players))
    layout_entry = expect_list(entry.get("layout", []), "layout")[: 4 * MAX_SIZE + 1]
    layout = ["".join(read_colored_tile(tile)) for tile in layout_entry]
    is_first_turn = expect_bool(entry.get("first", False), "first")
    occupied = [tile for own in pawns for tile in own]
    if len(pawns) != players or len(set(occupied)) < len(occupied) or not set(occupied) <= set(tiles):
        raise InvalidInputError(f"each of the {players} players needs a list of pawns, each alone on a tile")
    if not tiles:
        return "no-tiles"
    if not is_connected([read_place(tile) for tile in tiles]):
        return "apart"
    if not pawns[to_move]:
        return "no-pawns"
    if sum(map(bool, pawns)) < 2:
        return "one-player"
    try:
        position = position_from_pieces(tiles, pawns, to_move, is_first_turn=is_first_turn, layout=layout)
    except InvalidInputError:
        return "impossible"
    return position if all(map(position.freedoms, occupied)) else "no-freedom"


def _deal(entry: Mapping[str, Any]) -> Position:
    reject_unknown_keys(entry, ("players", "size", "seed"), "this layout")
    players = _read_players(entry)
    size = expect_int(entry.get("size"), "size", range(4, MAX_SIZE + 1))
    seed = expect_int(entry.get("seed"), "seed", range(_MAX_SEED + 1))
    setup = rules.GAME.random_setup(Random(seed), players, size=size)
    return setup.start.apply(setup.deal[0])


def _read_players(entry: Mapping[str, Any]) -> int:
    return expect_int(entry.get("players"), "players", range(2, 4))


def _read_tiles(value: object, max_tiles: int, what: str) -> list[str]:
    """Return a list of distinct tile names, else raise InvalidInputError."""
    tiles = expect_list(value, what)
    if len(tiles) > max_tiles:
        raise InvalidInputError(f"there are up to {max_tiles} {what}, not {len(tiles)}")
    for tile in tiles:
        read_colored_tile(expect_str(tile, "a tile") + "R")  # raises if it is not a tile name
    if len(set(tiles)) < len(tiles):
        duplicate = next(tile for tile in tiles if tiles.count(tile) > 1)
        raise InvalidInputError(f"the {what} name {quote_truncated(duplicate)} twice")
    return tiles
