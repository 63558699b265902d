"""Batches followed game by game with the rules: what may be clicked, what is earned, how it ends.

Not by the encodings' own words: clicks are made here of the numbers of legal turns.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import limina.rl
from limina import limes, limit

NONE = 255
Codes = NDArray[np.uint32]


def parts(codes: Codes) -> NDArray[np.int64]:
    """The four bytes of each number."""
    return codes.astype("<u4").view(np.uint8).reshape(-1, 4).astype(np.int64)


@dataclass
class Followed:
    """A game beside one of a batch."""

    position: Any
    codes: Codes = field(default_factory=lambda: np.zeros(0, np.uint32))
    clicks: int = 0
    ends: int = 0


class FollowedBatch:
    """A batch of one of the games, with its games beside it."""

    name: str

    def __init__(self, games: int, **options: Any) -> None:
        self.options = options
        self.batch = limina.rl.batch(self.name, games, **options)
        self.batch.reset(7)
        self.games = [Followed(None) for _ in range(games)]
        for number in range(games):
            self.begin(number)

    def begin(self, number: int) -> None:
        """A new game has begun in the batch."""
        raise NotImplementedError


class FollowedLimes(FollowedBatch):
    """One display."""

    name = "limes"

    def begin(self, number: int) -> None:
        """A new game has begun in the batch."""
        game = self.games[number]
        rules = {name: value for name, value in self.options.items() if name in ("deck", "diagonal", "ferryman")}
        game.position = limes.Position.start(**rules)
        self.draw(number)

    def draw(self, number: int) -> None:
        """The next card, as the batch says."""
        game = self.games[number]
        game.position = game.position.draw(self.batch.kernel.draws(number)[-1] + 1)
        game.codes = np.asarray(game.position.legal_turns().codes)
        game.clicks = 0

    def mask(self, number: int) -> NDArray[np.uint8]:
        """What may be clicked, made of the legal turns that are left."""
        game, mask = self.games[number], np.zeros(101, np.uint8)
        cell, turning, source, target = parts(game.codes).T
        left, top = game.position.boards[0].__getstate__()[1][:2]
        if game.clicks == 0:
            x, y = np.array([0, 1, 1, 0])[turning], np.array([0, 0, 1, 1])[turning]
            mask[10 * (2 * (cell // 8 - top + 1) + y) + 2 * (cell % 8 - left + 1) + x] = 1
            return mask
        left, top = min(left, int(cell[0]) % 8), min(top, int(cell[0]) // 8)
        zones = target if game.clicks == 2 else np.where(source == NONE, target, source)
        there = zones[zones != NONE]
        mask[10 * (there // 16 - 2 * top + 2) + there % 16 - 2 * left + 2] = 1
        mask[100] = (target == NONE).any()
        return mask

    def click(self, number: int, action: int) -> float:
        """Follow one click; what it earns."""
        game = self.games[number]
        cell, turning, source, target = parts(game.codes).T
        left, top = game.position.boards[0].__getstate__()[1][:2]
        x, y = action % 10, action // 10
        if game.clicks == 0:
            turned = {(0, 0): 0, (1, 0): 1, (1, 1): 2, (0, 1): 3}[x % 2, y % 2]
            game.codes = game.codes[(cell == 8 * (y // 2 - 1 + top) + x // 2 - 1 + left) & (turning == turned)]
            game.clicks = 1
            return 0.0
        left, top = min(left, int(cell[0]) % 8), min(top, int(cell[0]) // 8)
        zone = 16 * (y - 2 + 2 * top) + x - 2 + 2 * left
        if action == 100:
            chosen = target == NONE
        elif game.clicks == 2:
            chosen = target == zone
        else:
            chosen = np.where(source == NONE, target, source) == zone
        lifted = game.clicks == 1 and action != 100 and bool((source[chosen] != NONE).any())
        game.codes = game.codes[chosen]
        game.clicks += 1
        if lifted:
            return 0.0
        assert len(game.codes) == 1
        before = game.position.display().total
        game.position = game.position.play(game.codes[0])
        return float(game.position.display().total - before)

    def step(self) -> None:
        """One click in every game, compared."""
        batch = self.batch
        assert batch.action_mask is not None
        for number in range(batch.n):
            assert np.array_equal(self.mask(number), batch.action_mask[number])
        actions = batch.sample().copy()
        rewards, ended = batch.step(actions)
        for number, action in enumerate(actions):
            game = self.games[number]
            assert self.click(number, int(action)) == rewards[number]
            assert bool(ended[number]) == (game.position.outcome is not None)
            if ended[number]:
                game.ends += 1
                self.begin(number)
            elif game.position.awaits_chance:
                self.draw(number)


class FollowedLimit(FollowedBatch):
    """One board."""

    name = "limit"

    @property
    def side(self) -> int:
        """Of the frame."""
        return self.batch.sizes.planes_shape[1]

    def begin(self, number: int) -> None:
        """A new game has begun in the batch."""
        game = self.games[number]
        board = self.batch.kernel.board(number)
        game.position = limit.Position(board, len(board.places()) // 4)
        self.begin_turn(number)

    def begin_turn(self, number: int) -> None:
        """The next turn."""
        game = self.games[number]
        game.codes = np.asarray(game.position.legal_turns().codes)
        game.clicks = 0

    def places(self, number: int) -> NDArray[np.int64]:
        """Where each tile is in the frame."""
        q, r, _ = np.array(self.games[number].position.board.places()).T
        return np.asarray(self.side * (r - r.min()) + q - q.min())

    def next_tiles(self, number: int) -> NDArray[np.int64]:
        """The next tile of every legal turn that is left."""
        game = self.games[number]
        source, target, removed, _ = parts(game.codes).T
        order = [source, target, removed] if source[0] != NONE else [removed]
        return np.asarray(order[game.clicks])

    def mask(self, number: int) -> NDArray[np.uint8]:
        """What may be clicked, made of the legal turns that are left."""
        mask = np.zeros(self.side * self.side + 1, np.uint8)
        tiles = self.next_tiles(number)
        mask[self.places(number)[tiles[tiles != NONE]]] = 1
        mask[-1] = (tiles == NONE).all()
        return mask

    def click(self, number: int, action: int) -> bool:
        """Follow one click; whether the turn is over."""
        game = self.games[number]
        tiles = self.next_tiles(number)
        if action < self.side * self.side:
            game.codes = game.codes[self.places(number)[np.minimum(tiles, len(game.position.names) - 1)] == action]
        game.clicks += 1
        whole = all(each == NONE for each in parts(game.codes)[0][:3][game.clicks :]) or game.clicks == 3
        if parts(game.codes)[0][0] == NONE:
            whole = True
        if whole:
            assert len(game.codes) == 1
            game.position = game.position.play(game.codes[0])
        return whole

    def step(self) -> None:
        """One click in every game, compared."""
        batch = self.batch
        assert batch.action_mask is not None
        for number in range(batch.n):
            assert np.array_equal(self.mask(number), batch.action_mask[number])
            assert batch.player[number] == self.games[number].position.board.to_move
        actions = batch.sample().copy()
        rewards, ended = batch.step(actions)
        for number, action in enumerate(actions):
            game = self.games[number]
            whole = self.click(number, int(action))
            outcome = game.position.outcome
            assert bool(ended[number]) == (outcome is not None)
            if outcome is not None:
                share = (batch.players - len(outcome.winners)) / len(outcome.winners)
                expected = [share if player in outcome.winners else -1.0 for player in range(batch.players)]
                assert np.allclose(rewards[number], expected)
                game.ends += 1
                self.begin(number)
            else:
                assert not rewards[number].any()
                if whole:
                    self.begin_turn(number)


def follow(followed: FollowedLimes | FollowedLimit, ends: int) -> None:
    """Step until so many games have ended."""
    while sum(game.ends for game in followed.games) < ends:
        followed.step()
