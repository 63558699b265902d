"""Limit for programs that learn: clicks on a frame of axial coordinates (see kernel/limit/batch.hpp)."""

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
    return kernel.Batch.SMALL if size <= 8 else kernel.Batch.LARGE


class LimitEncoding:
    """One row for each game, seen by the player to move; a turn is three clicks, or fewer where less can be done."""

    def sizes(self, **options: Any) -> EncodingSizes:
        """Larger above size 8."""
        side = _side(expect_int(options.get("size", 8), "size", SIZES))
        return EncodingSizes(
            side * side + 1, (kernel.Batch.PLANES, side, side), kernel.Batch.VECTOR, kernel.Batch.PACKED, 1
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
        """Games of one size; all on the same `layouts`, which follow from the seed, or each on one of its own."""
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
        """Begin a game on a layout: its tiles, or a line of them."""
        if not isinstance(setup, Iterable):
            raise InvalidInputError("a layout is a list of tiles such as c4R")
        laid = Position.from_layout(setup.split() if isinstance(setup, str) else setup, batch.players)
        try:
            batch.set(game_index, laid.board)
        except ValueError as error:
            raise InvalidInputError(str(error)) from None

    def position_of(self, batch: kernel.Batch, game_index: int, **options: Any) -> Position:
        """The position when the present turn began."""
        board = batch.board(game_index)
        return Position(board, len(board.places()) // 4)

    def start_position(self, batch: kernel.Batch, game_index: int, position: Position) -> None:
        """Begin a game on this board."""
        batch.set(game_index, position.board)

    def position_after(self, batch: kernel.Batch, game_index: int, before: Position, ended: bool) -> Position | None:
        """The board once the turn is over."""
        board = batch.board(game_index)
        return Position(board, before.size) if ended or board.turn != before.turn else None

    def chance_actions(self, position: Position, samples: int) -> list[int]:
        """Seeds of layouts: there are too many to list them."""
        return list(range(samples))

    def chance_step(self, position: Position, action: int) -> Step:
        """The layout of a seed; of those that follow from it the first that fits into the frame."""
        rng = Random(action)
        while True:
            step = position.chance(rng)
            places = [read_place(tile[:-1]) for tile in step.text.split()]
            spans = [max(each) - min(each) for each in zip(*places, strict=True)]
            if max(spans) < _side(position.size):
                return step

    def turn_code(self, position: Position, turn: Turn) -> int:
        """The kernel's number of a turn."""
        return position.encode(turn)

    def turn_actions(self, position: Position, player: int, turn: Turn) -> list[int]:
        """The pawn, where it goes, the tile that is removed; the pass for a turn of nothing."""
        side = _side(position.size)
        places = [read_place(name) for name in position.names]
        left, top = min(q for q, _ in places), min(r for _, r in places)
        tiles = [read_place(tile) for tile in turn if tile is not None]
        return [side * (r - top) + q - left for q, r in tiles] or [side * side]

    def unpack(self, packed: Any, **options: Any) -> tuple[Any, Any, Any]:
        """Planes, vector and mask of packed observations."""
        import numpy as np

        side = _side(options.get("size", 8))
        words = np.ascontiguousarray(packed, dtype="<u8").reshape(-1, kernel.Batch.PACKED)
        rows = len(words)
        sets = np.unpackbits(words[:, :6].copy().view(np.uint8).reshape(rows, 6, 8), axis=-1, bitorder="little")
        sets = sets.reshape(rows, 6, 64)
        bytes_ = words[:, 6].copy().view(np.uint8).reshape(rows, 8)
        places = words[:, 7:].copy().view(np.uint8).reshape(rows, 64)
        planes = np.zeros((rows, kernel.Batch.PLANES, side * side), np.uint8)
        mask = np.zeros((rows, side * side + 1), np.uint8)
        for plane in range(5):
            row, tile = np.nonzero(sets[:, plane])
            planes[row, plane, places[row, tile]] = 1
        row, tile = np.nonzero(sets[:, 5])
        mask[row, places[row, tile]] = 1
        mask[:, -1] = ~sets[:, 5].any(axis=1)
        for plane, part in ((5, 2), (6, 3)):
            row = np.flatnonzero(bytes_[:, part] != 255)
            planes[row, plane, places[row, bytes_[row, part]]] = 1
        vector = np.zeros((rows, kernel.Batch.VECTOR), np.uint8)
        at = np.arange(rows)
        vector[at, bytes_[:, 0]] = 1
        vector[:, 3] = bytes_[:, 5]
        vector[at, 4 + bytes_[:, 1]] = 1
        vector[:, 7] = bytes_[:, 4] == 3
        return planes.reshape(rows, -1, side, side), vector, mask
