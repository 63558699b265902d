"""An oracle for batches: it plays each game of a batch again with the rules, and compares masks, rewards and ends.

It does not use the encodings, but derives the actions from the codes of legal turns.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import limina.rl
from limina import limes, limit

NO_ZONE_OR_TILE = 255
Codes = NDArray[np.uint32]


def parts_of(codes: Codes) -> NDArray[np.int64]:
    """Return the four bytes of each code."""
    return codes.astype("<u4").view(np.uint8).reshape(-1, 4).astype(np.int64)


@dataclass
class OracleGame:
    """A game of the batch, played with the rules."""

    position: Any
    codes: Codes = field(default_factory=lambda: np.zeros(0, np.uint32))
    """Codes of the legal turns that begin with the actions so far."""
    action_count: int = 0
    """Number of actions of the current turn so far."""
    finished_games: int = 0


class OracleBatch:
    """A batch with an oracle for each of its games."""

    name: str

    def __init__(self, games: int, **options: Any) -> None:
        self.options = options
        self.batch = limina.rl.batch(self.name, games, **options)
        self.batch.reset(7)
        self.games = [OracleGame(None) for _ in range(games)]
        for index in range(games):
            self.begin_game(index)

    def begin_game(self, index: int) -> None:
        """Begin the oracle's game after the batch began a new one."""
        raise NotImplementedError


class OracleLimes(OracleBatch):
    """An oracle for Limes with one player."""

    name = "limes"

    def begin_game(self, index: int) -> None:
        """Begin the oracle's game after the batch began a new one."""
        game = self.games[index]
        rules = {name: value for name, value in self.options.items() if name in ("deck", "diagonal", "ferryman")}
        game.position = limes.Position.start(**rules)
        self.draw_card(index)

    def draw_card(self, index: int) -> None:
        """Draw the card that the batch drew."""
        game = self.games[index]
        game.position = game.position.draw_card(self.batch.kernel.draws(index)[-1] + 1)
        game.codes = np.asarray(game.position.legal_turns().codes)
        game.action_count = 0

    def mask(self, index: int) -> NDArray[np.uint8]:
        """Return the mask of legal actions, derived from the remaining legal turns."""
        game, mask = self.games[index], np.zeros(101, np.uint8)
        cell, turning, source, target = parts_of(game.codes).T
        left, top = game.position.boards[0].__getstate__()[1][:2]
        if game.action_count == 0:
            x, y = np.array([0, 1, 1, 0])[turning], np.array([0, 0, 1, 1])[turning]
            mask[10 * (2 * (cell // 8 - top + 1) + y) + 2 * (cell % 8 - left + 1) + x] = 1
            return mask
        left, top = min(left, int(cell[0]) % 8), min(top, int(cell[0]) // 8)
        zones = target if game.action_count == 2 else np.where(source == NO_ZONE_OR_TILE, target, source)
        legal = zones[zones != NO_ZONE_OR_TILE]
        mask[10 * (legal // 16 - 2 * top + 2) + legal % 16 - 2 * left + 2] = 1
        mask[100] = (target == NO_ZONE_OR_TILE).any()
        return mask

    def apply(self, index: int, action: int) -> float:
        """Apply an action and return its reward."""
        game = self.games[index]
        cell, turning, source, target = parts_of(game.codes).T
        left, top = game.position.boards[0].__getstate__()[1][:2]
        x, y = action % 10, action // 10
        if game.action_count == 0:
            turning_of_zone = {(0, 0): 0, (1, 0): 1, (1, 1): 2, (0, 1): 3}[x % 2, y % 2]
            game.codes = game.codes[(cell == 8 * (y // 2 - 1 + top) + x // 2 - 1 + left) & (turning == turning_of_zone)]
            game.action_count = 1
            return 0.0
        left, top = min(left, int(cell[0]) % 8), min(top, int(cell[0]) // 8)
        zone = 16 * (y - 2 + 2 * top) + x - 2 + 2 * left
        if action == 100:
            chosen = target == NO_ZONE_OR_TILE
        elif game.action_count == 2:
            chosen = target == zone
        else:
            chosen = np.where(source == NO_ZONE_OR_TILE, target, source) == zone
        has_lifted_worker = game.action_count == 1 and action != 100 and bool((source[chosen] != NO_ZONE_OR_TILE).any())
        game.codes = game.codes[chosen]
        game.action_count += 1
        if has_lifted_worker:
            return 0.0
        assert len(game.codes) == 1
        before = game.position.display().total
        game.position = game.position.play(game.codes[0])
        return float(game.position.display().total - before)

    def step(self) -> None:
        """Apply a random action in each game, and compare the batch with the oracle."""
        batch = self.batch
        assert batch.action_mask is not None
        for index in range(batch.n):
            assert np.array_equal(self.mask(index), batch.action_mask[index])
        actions = batch.sample().copy()
        rewards, ended = batch.step(actions)
        for index, action in enumerate(actions):
            game = self.games[index]
            assert self.apply(index, int(action)) == rewards[index]
            assert bool(ended[index]) == (game.position.outcome is not None)
            if ended[index]:
                game.finished_games += 1
                self.begin_game(index)
            elif game.position.awaits_chance:
                self.draw_card(index)


class OracleLimit(OracleBatch):
    """An oracle for Limit."""

    name = "limit"

    @property
    def side(self) -> int:
        """Side of the square frame."""
        return self.batch.sizes.planes_shape[1]

    def begin_game(self, index: int) -> None:
        """Begin the oracle's game after the batch began a new one."""
        game = self.games[index]
        board = self.batch.kernel.board(index)
        game.position = limit.Position(board, len(board.places()) // 4)
        self.begin_turn(index)

    def begin_turn(self, index: int) -> None:
        """Begin the next turn."""
        game = self.games[index]
        game.codes = np.asarray(game.position.legal_turns().codes)
        game.action_count = 0

    def tile_actions(self, index: int) -> NDArray[np.int64]:
        """Return the action of each tile: its cell in the frame."""
        q, r, _ = np.array(self.games[index].position.board.places()).T
        return np.asarray(self.side * (r - r.min()) + q - q.min())

    def next_tiles(self, index: int) -> NDArray[np.int64]:
        """Return the tile of the next action for each remaining legal turn."""
        game = self.games[index]
        source, target, removed, _ = parts_of(game.codes).T
        order = [source, target, removed] if source[0] != NO_ZONE_OR_TILE else [removed]
        return np.asarray(order[game.action_count])

    def mask(self, index: int) -> NDArray[np.uint8]:
        """Return the mask of legal actions, derived from the remaining legal turns."""
        mask = np.zeros(self.side * self.side + 1, np.uint8)
        tiles = self.next_tiles(index)
        mask[self.tile_actions(index)[tiles[tiles != NO_ZONE_OR_TILE]]] = 1
        mask[-1] = (tiles == NO_ZONE_OR_TILE).all()
        return mask

    def apply(self, index: int, action: int) -> bool:
        """Apply an action, and return True if it completes the turn."""
        game = self.games[index]
        tiles = self.next_tiles(index)
        if action < self.side * self.side:
            game.codes = game.codes[self.tile_actions(index)[np.minimum(tiles, len(game.position.names) - 1)] == action]
        game.action_count += 1
        is_complete = (
            all(part == NO_ZONE_OR_TILE for part in parts_of(game.codes)[0][:3][game.action_count :])
            or game.action_count == 3
        )
        if parts_of(game.codes)[0][0] == NO_ZONE_OR_TILE:
            is_complete = True
        if is_complete:
            assert len(game.codes) == 1
            game.position = game.position.play(game.codes[0])
        return is_complete

    def step(self) -> None:
        """Apply a random action in each game, and compare the batch with the oracle."""
        batch = self.batch
        assert batch.action_mask is not None
        for index in range(batch.n):
            assert np.array_equal(self.mask(index), batch.action_mask[index])
            assert batch.player[index] == self.games[index].position.board.to_move
        actions = batch.sample().copy()
        rewards, ended = batch.step(actions)
        for index, action in enumerate(actions):
            game = self.games[index]
            is_complete = self.apply(index, int(action))
            outcome = game.position.outcome
            assert bool(ended[index]) == (outcome is not None)
            if outcome is not None:
                share = (batch.players - len(outcome.winners)) / len(outcome.winners)
                expected = [share if player in outcome.winners else -1.0 for player in range(batch.players)]
                assert np.allclose(rewards[index], expected)
                game.finished_games += 1
                self.begin_game(index)
            else:
                assert not rewards[index].any()
                if is_complete:
                    self.begin_turn(index)


def compare_games(oracle: OracleLimes | OracleLimit, games: int) -> None:
    """Step the batch until so many games have ended. Raises AssertionError if the batch and the rules differ."""
    while sum(game.finished_games for game in oracle.games) < games:
        oracle.step()
