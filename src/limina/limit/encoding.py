"""Encoding of Limit for reinforcement learning: actions are cells of a square of axial coordinates.

`kernel/limit/batch.hpp` describes the arrays.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from limina._kernel import limit as kernel
from limina.core.capabilities import EncodingSizes
from limina.core.position import Step
from limina.core.validation import expect_int, reject_unknown_keys
from limina.errors import InvalidInputError
from limina.limit.notation import Turn, read_place
from limina.limit.position import Position

SIZES = range(4, 17)


def _side(size: int) -> int:
    """Return the side of the square."""
    return kernel.Batch.SMALL_FRAME_SIDE if size <= 8 else kernel.Batch.LARGE_FRAME_SIDE


class LimitEncoding:
    """Encodes a game as one row, seen by the player to move.

    A turn is up to three actions: the pawn, its target and the removed tile.
    """

    def sizes(self, **options: Any) -> EncodingSizes:
        """Return the array sizes. They are larger above size 8."""
        side = _side(expect_int(options.get("size", 8), "size", SIZES))
        return EncodingSizes(
            side * side + 1,
            (kernel.Batch.PLANE_COUNT, side, side),
            kernel.Batch.VECTOR_SIZE,
            kernel.Batch.PACKED_WORDS,
            1,
        )

    def batch(
        self,
        n_games: int,
        *,
        players: int = 2,
        threads: int = 1,
        illegal_reward: float = -1.0,
        autoreset: int = 1,
        layouts: int = 0,
        seed: int = 0,
        **options: Any,
    ) -> kernel.Batch:
        """Return a batch of games of one size.

        `layouts` is the number of layouts that all games share, and `seed` determines them. With 0 layouts, each game
        gets a new one.
        """
        reject_unknown_keys(options, ("size", "layouts", "seed"), "options")
        return kernel.Batch(
            n_games,
            players=expect_int(players, "players", range(2, 4)),
            size=expect_int(options.get("size", 8), "size", SIZES),
            layouts=layouts,
            seed=seed,
            illegal_reward=illegal_reward,
            autoreset=autoreset,
            threads=threads,
        )

    def start_setup(self, batch: kernel.Batch, game_index: int, setup: object) -> None:
        """Begin a game on a layout, given as tiles or as a line. Raises InvalidInputError if it is illegal."""
        if not isinstance(setup, Iterable):
            raise InvalidInputError("a layout is a list of tiles such as c4R")
        start = Position.from_layout(setup.split() if isinstance(setup, str) else setup, batch.players)
        try:
            batch.set_game(game_index, start.board)
        except ValueError as error:
            raise InvalidInputError(str(error)) from None

    def position_of(self, batch: kernel.Batch, game_index: int, **options: Any) -> Position:
        """Return the position in which the current turn began."""
        board = batch.board(game_index)
        return Position(board, len(board.places()) // 4)

    def start_position(self, batch: kernel.Batch, game_index: int, position: Position) -> None:
        """Begin a game at a position in which a player is to move."""
        batch.set_game(game_index, position.board)

    def position_after(self, batch: kernel.Batch, game_index: int, before: Position, ended: bool) -> Position | None:
        """Return the position after the turn that began at `before`, or None while it is in progress."""
        board = batch.board(game_index)
        return Position(board, before.size) if ended or board.turn != before.turn else None

    def chance_actions(self, position: Position, samples: int) -> list[int]:
        """Return seeds of layouts, since there are too many layouts to list."""
        return list(range(samples))

    def chance_step(self, position: Position, action: int) -> Step:
        """Return the first layout from the seed that fits into the square."""
        rng = Random(action)
        while True:
            step = position.draw_chance_step(rng)
            places = [read_place(tile[:-1]) for tile in step.text.split()]
            spans = [max(coordinates) - min(coordinates) for coordinates in zip(*places, strict=True)]
            if max(spans) < _side(position.size):
                return step

    def turn_code(self, position: Position, turn: Turn) -> int:
        """Return the kernel's code of a turn."""
        return position.encode_turn(turn)

    def turn_actions(self, position: Position, player: int, turn: Turn) -> list[int]:
        """Return the actions of a turn: pawn, target and removed tile, as far as it has them, or the pass."""
        side = _side(position.size)
        places = [read_place(name) for name in position.names]
        left, top = min(q for q, _ in places), min(r for _, r in places)
        tiles = [read_place(tile) for tile in turn if tile is not None]
        return [side * (r - top) + q - left for q, r in tiles] or [side * side]

    def unpack(self, packed: Any, **options: Any) -> tuple[Any, Any, Any]:
        """Return planes, vector and mask of packed observations."""
        import numpy as np

        side = _side(options.get("size", 8))
        words = np.ascontiguousarray(packed, dtype="<u8").reshape(-1, kernel.Batch.PACKED_WORDS)
        n_rows = len(words)
        tile_sets = np.unpackbits(words[:, :6].copy().view(np.uint8).reshape(n_rows, 6, 8), axis=-1, bitorder="little")
        tile_sets = tile_sets.reshape(n_rows, 6, 64)
        state = words[:, 6].copy().view(np.uint8).reshape(n_rows, 8)
        cells = words[:, 7:].copy().view(np.uint8).reshape(n_rows, 64)
        planes = np.zeros((n_rows, kernel.Batch.PLANE_COUNT, side * side), np.uint8)
        mask = np.zeros((n_rows, side * side + 1), np.uint8)
        for plane in range(5):
            row, tile = np.nonzero(tile_sets[:, plane])
            planes[row, plane, cells[row, tile]] = 1
        row, tile = np.nonzero(tile_sets[:, 5])
        mask[row, cells[row, tile]] = 1
        mask[:, -1] = ~tile_sets[:, 5].any(axis=1)
        for plane, part in ((5, 2), (6, 3)):
            row = np.flatnonzero(state[:, part] != 255)
            planes[row, plane, cells[row, state[row, part]]] = 1
        vector = np.zeros((n_rows, kernel.Batch.VECTOR_SIZE), np.uint8)
        rows = np.arange(n_rows)
        vector[rows, state[:, 0]] = 1
        vector[:, 3] = state[:, 5]
        vector[rows, 4 + state[:, 1]] = 1
        vector[:, 7] = state[:, 4] == 3
        return planes.reshape(n_rows, -1, side, side), vector, mask
