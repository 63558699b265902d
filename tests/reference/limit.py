"""A reference implementation of the rules of Limit, written from the specification, simple and slow."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from string import ascii_lowercase
from typing import Any, NamedTuple

COLORS = "RBYK"
PLAYERS = ("red", "blue", "yellow")
# All six neighbors of a tile, as steps of letter and number.
STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1), (1, -1), (-1, 1))

Tiles = Mapping[str, str]
"""Color letter by coordinate."""
Pawns = Mapping[str, int]
"""Player by coordinate."""
Place = tuple[int, int]
TurnEnd = tuple[frozenset[str], frozenset[tuple[str, int]], int]
"""Tiles, pawns and player to move, which the repetition rule compares."""


@dataclass(frozen=True)
class State:
    """A position. Its tiles and pawns are never changed in place."""

    players: int
    size: int
    tiles: Tiles
    pawns: Pawns
    to_move: int = 0
    turn: int = 0
    history: tuple[TurnEnd, ...] = ()
    result: tuple[int, ...] | None = None

    @cached_property
    def turns(self) -> list[Turn]:
        """All legal turns, computed once."""
        return turns(self)


class Turn(NamedTuple):
    """A turn: move a pawn from origin to target and remove a tile. Each part may be None."""

    origin: str | None
    target: str | None
    removed: str | None

    def __str__(self) -> str:
        move = f"{self.origin}-{self.target}" if self.origin else ""
        removal = f"x{self.removed}" if self.removed else ""
        return f"{move} {removal}".strip() or "-"


# --- the lattice ------------------------------------------------------------------------------------------------


def name_of(place: Place) -> str | None:
    """Return the coordinate of a place, or None if the notation has none for it."""
    letter, number = place
    if 0 <= letter < len(ascii_lowercase) and 0 <= number <= 99:
        return f"{ascii_lowercase[letter]}{number}"
    return None


def around(place: Place) -> list[Place]:
    """The six places that touch this one."""
    return [(place[0] + letter, place[1] + number) for letter, number in STEPS]


@cache
def touching(tile: str) -> tuple[str, ...]:
    """The coordinates that touch this one. Places without a name are left out: no tile can lie there."""
    place = ascii_lowercase.index(tile[0]), int(tile[1:])
    return tuple(name for other in around(place) if (name := name_of(other)) is not None)


def flood(start: str, within: Container[str]) -> set[str]:
    """Return the start and all tiles of `within` that are connected with it."""
    connected = {start}
    border = [start]
    for tile in border:  # grows during the loop: a breadth-first search
        for other in touching(tile):
            if other in within and other not in connected:
                connected.add(other)
                border.append(other)
    return connected


# --- set-up -----------------------------------------------------------------------------------------------------


def start(layout: Sequence[str], players: int, size: int = 8) -> State:
    """Return the first position on a layout. Raises ValueError if the layout breaks the set-up rules."""
    if players not in (2, 3):
        raise ValueError("Limit is for two or three players")
    if size < 1:
        raise ValueError("the size is at least 1")
    tiles: dict[str, str] = {}
    for text in layout:
        if not re.fullmatch(r"[a-z](0|[1-9][0-9]?)[RBYK]", text):
            raise ValueError(f"{text!r} is not a tile")
        if text[:-1] in tiles:
            raise ValueError(f"{text[:-1]} is laid twice")
        tiles[text[:-1]] = text[-1]
    if len(tiles) != 4 * size:
        raise ValueError(f"{len(tiles)} tiles instead of {4 * size}")
    count = Counter(tiles.values())
    for color in COLORS:
        if count[color] != size:
            raise ValueError(f"{count[color]} tiles of color {color} instead of {size}")
    if len(flood(min(tiles), tiles)) != len(tiles):
        raise ValueError("the tiles are not connected")
    pawns = {tile: COLORS.index(color) for tile, color in tiles.items() if color in COLORS[:players]}
    for tile, color in tiles.items():
        others = [other for other in touching(tile) if other in tiles]
        if len(others) < 2:
            raise ValueError(f"{tile} touches fewer than two tiles")
        if any(tiles[other] == color for other in others):
            raise ValueError(f"{tile} touches a tile of its own color")
        if tile in pawns and all(other in pawns for other in others):
            raise ValueError(f"the pawn on {tile} touches no empty tile")
    return State(players, size, tiles, pawns)


def random_layout(size: int, players: int, rng: random.Random) -> list[str]:
    """Return a random legal layout whose letters start at a and whose numbers start at 1."""
    while True:
        shape = _random_shape(4 * size, rng)
        left, top = min(place[0] for place in shape), min(place[1] for place in shape)
        places = [(letter - left, number - top + 1) for letter, number in shape]
        names = [name for place in places if (name := name_of(place)) is not None]
        if len(names) < len(places):
            continue  # too long for the notation
        tiles = _random_colors(names, players, rng)
        if tiles is not None:
            return sorted(tile + color for tile, color in tiles.items())


def _random_shape(count: int, rng: random.Random) -> list[Place]:
    """Return connected places that each touch at least two others: places with fewer neighbors are placed again."""
    shape = {(0, 0)}
    while True:
        while len(shape) < count:
            free = {other for place in shape for other in around(place)} - shape
            shape.add(rng.choice(sorted(free)))
        loose = [place for place in sorted(shape) if sum(other in shape for other in around(place)) < 2]
        if not loose:
            return sorted(shape)
        # A place with one neighbor is no bridge, so the rest stays connected without it.
        shape.remove(rng.choice(loose))


def _random_colors(shape: list[str], players: int, rng: random.Random) -> dict[str, str] | None:
    """Return legal colors for a shape by random swaps that never add conflicts, or None if that takes too long."""
    colors = list(COLORS * (len(shape) // 4))
    rng.shuffle(colors)
    tiles = dict(zip(shape, colors, strict=True))
    conflicts = _conflicts(tiles, players)
    # Most searches succeed soon, and otherwise a new shape is better than more swaps.
    for _ in range(8 * len(shape)):
        if not conflicts:
            return tiles
        one, other = rng.choice(conflicts), rng.choice(shape)
        swapped = {**tiles, one: tiles[other], other: tiles[one]}
        swapped_conflicts = _conflicts(swapped, players)
        if len(swapped_conflicts) <= len(conflicts):
            tiles, conflicts = swapped, swapped_conflicts
    return None


def _conflicts(tiles: Tiles, players: int) -> list[str]:
    """Return the tiles that touch their own color, or have a pawn that touches no empty tile."""
    pawn_colors = COLORS[:players]
    conflicts = []
    for tile, color in tiles.items():
        adjacent = {tiles[other] for other in touching(tile) if other in tiles}
        if color in adjacent or (color in pawn_colors and adjacent.issubset(pawn_colors)):
            conflicts.append(tile)
    return conflicts


# --- captures and removals --------------------------------------------------------------------------------------


def capture(tiles: Tiles, pawns: Pawns, owners: Iterable[int]) -> Pawns:
    """Return the pawns that are left after capturing all groups of these owners without a freedom, at the same time."""
    captured: set[str] = set()
    for owner in owners:
        own = {tile for tile, player in pawns.items() if player == owner}
        while own:
            group = flood(next(iter(own)), own)
            own -= group
            if not any(other in tiles and other not in pawns for tile in group for other in touching(tile)):
                captured |= group
    return {tile: owner for tile, owner in pawns.items() if tile not in captured}


def capture_enemies(state: State, tiles: Tiles, pawns: Pawns) -> Pawns:
    """Return the pawns that are left after capturing the enemies of the player to move."""
    return capture(tiles, pawns, set(range(state.players)) - {state.to_move})


def capture_all(state: State, tiles: Tiles, pawns: Pawns) -> Pawns:
    """Return the pawns that are left at the end of a turn: enemies are captured first, which may free own groups."""
    return capture(tiles, capture_enemies(state, tiles, pawns), {state.to_move})


def pieces(tiles: Tiles) -> dict[str, list[set[str]]]:
    """Return for each tile with a free edge the groups of tiles that remain without it."""
    groups = {}
    for tile in sorted(tiles):
        others = [other for other in touching(tile) if other in tiles]
        if len(others) == len(STEPS):
            continue
        rest = tiles.keys() - {tile}
        parts: list[set[str]] = []
        for other in others:
            if not any(other in part for part in parts):
                parts.append(flood(other, rest))
        groups[tile] = parts
    return groups


def removals(state: State, pawns: Pawns, parts_without: Mapping[str, list[set[str]]]) -> dict[str, Tiles]:
    """Return the tiles that may be removed with these pawns, each with the tiles that are left."""
    legal_removals: dict[str, Tiles] = {}
    for tile, parts in parts_without.items():
        occupied = [part for part in parts if not part.isdisjoint(pawns)]
        if tile in pawns or len(occupied) != 1:
            continue
        left = {other: color for other, color in state.tiles.items() if other in occupied[0]}
        if not is_protected(state) or capture_all(state, left, pawns) == pawns:
            legal_removals[tile] = left
    return legal_removals


# --- turns ------------------------------------------------------------------------------------------------------


def is_protected(state: State) -> bool:
    """Return True if captures are forbidden: on the first turn of every player but the last one."""
    return state.turn < state.players - 1


def pawn_moves(state: State) -> list[tuple[str, str]]:
    """Return origin and target of all pawn moves of the player to move."""
    empty = state.tiles.keys() - state.pawns.keys()
    return [
        (origin, target)
        for origin in sorted(state.pawns)
        if state.pawns[origin] == state.to_move
        for target in sorted(flood(origin, empty) - {origin})
    ]


def after_move(state: State, origin: str, target: str) -> Pawns | None:
    """Return the pawns after a pawn move, or None if it captures while captures are forbidden."""
    moved = {tile: owner for tile, owner in state.pawns.items() if tile != origin}
    moved[target] = state.to_move
    pawns = capture_enemies(state, state.tiles, moved)
    return None if is_protected(state) and pawns != moved else pawns


def turns(state: State) -> list[Turn]:
    """All legal turns."""
    if is_over(state):
        return []
    parts_without = pieces(state.tiles)
    both, alone = [], []
    for origin, target in pawn_moves(state):
        pawns = after_move(state, origin, target)
        if pawns is None:
            continue
        both += [Turn(origin, target, tile) for tile in removals(state, pawns, parts_without)]
        # The turn would end here, and on a protected turn its end may not capture anything either.
        if not is_protected(state) or capture_all(state, state.tiles, pawns) == pawns:
            alone.append(Turn(origin, target, None))
    if both or alone:
        return both or alone
    only = [Turn(None, None, tile) for tile in removals(state, state.pawns, parts_without)]
    return only or [Turn(None, None, None)]


def legal(state: State) -> list[str]:
    """All legal turns of the player to move in the notation."""
    return [str(turn) for turn in state.turns]


def play(state: State, text: str) -> State:
    """Return the state after a turn. Raises ValueError if it is illegal."""
    for turn in state.turns:
        if str(turn) == text:
            return _played(state, turn)
    raise ValueError(f"{text}: not a legal turn")


def _played(state: State, turn: Turn) -> State:
    """Return the state after a legal turn."""
    pawns: Pawns | None = state.pawns
    if turn.origin is not None and turn.target is not None:
        pawns = after_move(state, turn.origin, turn.target)
    assert pawns is not None
    tiles = state.tiles
    if turn.removed is not None:
        tiles = removals(state, pawns, pieces(tiles))[turn.removed]
    return _ended(state, tiles, pawns)


def _ended(state: State, tiles: Tiles, pawns: Pawns) -> State:
    """Return the state after the final captures of a turn with these tiles and pawns."""
    mover = state.to_move
    pawns = capture_all(state, tiles, pawns)
    left = set(pawns.values())
    order = [(mover + step) % state.players for step in range(1, state.players + 1)]
    to_move = next((player for player in order if player in left), order[0])
    result = judge(set(state.pawns.values()), mover, left)
    end = frozenset(tiles), frozenset(pawns.items()), to_move
    if result is None and end in state.history:
        result = tuple(sorted(left))
    return State(state.players, state.size, tiles, pawns, to_move, state.turn + 1, (*state.history, end), result)


def judge(before: set[int], mover: int, left: set[int]) -> tuple[int, ...] | None:
    """Return the winners, or None. `before` and `left` are the players with pawns before and after the turn."""
    if len(left) > 1:
        return None
    if left:
        return tuple(left)
    return tuple(sorted(before if len(before) == 3 else before - {mover}))


# --- the end ----------------------------------------------------------------------------------------------------


def is_over(state: State) -> bool:
    """Return True if the game is over."""
    return state.result is not None


def winners(state: State) -> list[int]:
    """Return the players who win or share the win. Empty until the game is over."""
    return list(state.result or ())


def summary(state: State) -> dict[str, Any]:
    """The object that `limina replay --json` prints."""
    pawns = {
        name: sorted(tile for tile, owner in state.pawns.items() if owner == player)
        for player, name in enumerate(PLAYERS[: state.players])
    }
    return {
        "game": "limit",
        "over": is_over(state),
        "turn": state.turn,
        "to_move": None if is_over(state) else state.to_move,
        "winners": winners(state),
        "tiles": sorted(tile + color for tile, color in state.tiles.items()),
        "pawns": pawns,
    }


def playout(state: State, rng: random.Random) -> State:
    """Play to the end: a uniform pawn move that allows a removal, then a uniform removal, else any legal turn."""
    while not is_over(state):
        state = _random_turn(state, rng)
    return state


def _random_turn(state: State, rng: random.Random) -> State:
    parts_without = pieces(state.tiles)
    moves = pawn_moves(state)
    # The first suitable move in random order is uniform among all suitable moves.
    rng.shuffle(moves)
    for origin, target in moves:
        pawns = after_move(state, origin, target)
        if pawns is None:
            continue
        choices = removals(state, pawns, parts_without)
        if choices:
            return _ended(state, choices[rng.choice(list(choices))], pawns)
    return _played(state, rng.choice(state.turns))
