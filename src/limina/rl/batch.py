"""Batches of games. One call advances all games in the kernel, without the GIL, and writes to fixed arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import Any, Literal, NamedTuple, Self, SupportsFloat, TypeAlias

import numpy as np
from numpy.typing import NDArray

from limina.core import registry
from limina.core.capabilities import Encoding
from limina.core.position import ImmutablePositionMixin, Position
from limina.core.validation import expect_int, json_type_name
from limina.errors import LiminaError

Autoreset: TypeAlias = Literal["never", "next_step", "same_step"]
AUTORESETS = ("never", "next_step", "same_step")
Bytes: TypeAlias = NDArray[np.uint8]


class Afterstates(NamedTuple):
    """The best turns of each row by a simple evaluation (points, or pawns and freedoms), best first."""

    turns: NDArray[np.uint32]
    """Codes of the turns, as `Batch.play` takes them."""
    gains: NDArray[np.float32]
    """Immediate gain of the player who moves: points, or the final reward if the turn decides it."""
    features: NDArray[np.int16]
    """Indices of the active features of the position after each turn, from the view of the player who moves.

    They are below `n_features`. The rest is filled with `n_features`, also after a turn that decides the game.
    """
    counts: NDArray[np.int32]
    """Number of turns in each row. Entries after them are unused."""


def expect_seed(value: object) -> int:
    """Return the value as an int if it can be a seed, else raise LiminaError."""
    return expect_int(value, "seed", range(1 << 64))


def as_integer_array(
    values: object, dtype: type[np.number[Any]], size: int, what: str, entry_name: str = "row"
) -> NDArray[Any]:
    """Return integers as a contiguous array for the kernel. Raises LiminaError for other values or another size."""
    array = np.asarray(values)
    if array.dtype.kind not in "iub":
        raise LiminaError(f"{what} must be whole numbers, not {array.dtype}")
    if array.size != size:
        raise LiminaError(f"{what} must be {size} numbers, one for each {entry_name}, not {array.size}")
    return np.ascontiguousarray(array, dtype)


def encoding_of(name: str) -> Encoding[Any, Any]:
    """Return the encoding of a game. Raises LiminaError if it has none."""
    game = registry.game(name)
    if game.encoding is None:
        raise LiminaError(f"{game.title} has no encoding for reinforcement learning")
    return game.encoding


class Batch:
    """A batch of n games.

    Each game is a row. If all players move at once, each seat of each game is a row.

    Each step overwrites the arrays `planes`, `vector` and `action_mask` (or `packed` with `packed=True`), `rewards`,
    `ended` and `player`, so copy what you need later. `rewards` has a column for each player, and is one-dimensional
    for games with one player.

    `autoreset` says when a game that has ended begins again: in the same step ("same_step"), with the next step, which
    ignores its action ("next_step"), or "never". An illegal action ends its game with `illegal_reward`.

    All other options belong to the game. Limes has `deck`, `diagonal`, `ferryman` and `reward` ("gain" of each turn, or
    "final"). Limit has `size`, `layouts` and `seed`: the number of layouts that all games share, and their seed. With 0
    layouts each game gets a new one, which takes about as long as playing the game.

    `copy.deepcopy` returns an independent batch of the same games with its own arrays.
    """

    def __init__(
        self,
        name: str,
        n: int,
        *,
        players: int | None = None,
        threads: int = 1,
        autoreset: Autoreset = "same_step",
        illegal_reward: float = -1.0,
        packed: bool = False,
        **options: Any,
    ) -> None:
        if autoreset not in AUTORESETS:
            raise LiminaError(f"autoreset must be one of {', '.join(AUTORESETS)}")
        if isinstance(illegal_reward, bool) or not isinstance(illegal_reward, SupportsFloat):
            raise LiminaError(f"illegal_reward must be a number, not {json_type_name(illegal_reward)}")
        game = registry.game(name)
        self.encoding = encoding_of(name)
        self.name = name
        self.n = expect_int(n, "the number of games", range(1, (1 << 20) + 1))
        self.players = game.spec.players[0] if players is None else game.spec.check_players(players)
        self.options = options
        self.sizes = self.encoding.sizes(**options)
        self.kernel = self.encoding.batch(
            self.n,
            players=self.players,
            threads=expect_int(threads, "threads", range(1, 1025)),
            illegal_reward=float(illegal_reward),
            autoreset=AUTORESETS.index(autoreset),
            **options,
        )
        has_row_per_seat = game.spec.simultaneous and self.players > 1
        rows = (self.n, self.players) if has_row_per_seat else (self.n,)
        self._rows = rows
        self.rewards = np.zeros((self.n, self.players) if self.players > 1 else (self.n,), np.float32)
        self.ended = np.zeros(self.n, np.uint8)
        self.player = np.zeros(self.n, np.uint8)
        self.planes: Bytes | None = None
        self.vector: Bytes | None = None
        self.action_mask: Bytes | None = None
        self.packed: NDArray[np.uint64] | None = None
        if packed:
            self.packed = np.zeros((*rows, self.sizes.packed_words), np.uint64)
        else:
            self.planes = np.zeros((*rows, *self.sizes.planes_shape), np.uint8)
            self.vector = np.zeros((*rows, self.sizes.vector_length), np.uint8)
            self.action_mask = np.zeros((*rows, self.sizes.n_actions), np.uint8)
        self._actions = np.zeros(rows, np.int64)
        self.attach()
        self.kernel.observe()

    def attach(self, **arrays: NDArray[Any]) -> None:
        """Replace arrays, given by name, with the caller's. Later steps write to these.

        Raises LiminaError if there is no array of that name, or its type or shape differs.
        """
        for name, array in arrays.items():
            current = getattr(self, name, None)
            if not isinstance(current, np.ndarray):
                raise LiminaError(f"there is no array called {name} in this batch")
            if array.shape != current.shape or array.dtype != current.dtype or not array.flags.c_contiguous:
                raise LiminaError(
                    f"{name} must be a contiguous array of {current.dtype} with the shape {current.shape}"
                )
            setattr(self, name, array)
        self.kernel.attach(
            planes=self.planes,
            vector=self.vector,
            mask=self.action_mask,
            packed=self.packed,
            rewards=self.rewards,
            ended=self.ended,
            player=self.player,
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        batch = copy(self)
        memo[id(self)] = batch
        batch.kernel = self.kernel.copy()
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                setattr(batch, name, value.copy())
        batch.attach()
        return batch

    def reset(
        self,
        seed: int | np.integer[Any] | Sequence[int] | NDArray[Any] | None = None,
        mask: Sequence[bool] | NDArray[Any] | None = None,
    ) -> None:
        """Begin new games: all, or those in the mask.

        `seed` is one seed for all games or a sequence with one for each. Raises LiminaError if a seed or the mask is
        invalid.
        """
        if isinstance(seed, list | tuple) or (isinstance(seed, np.ndarray) and seed.ndim > 0):
            seeds: NDArray[Any] = self._seed_array(seed)
        else:
            common_seed = None if seed is None else expect_seed(seed)
            seeds = np.random.SeedSequence(common_seed).generate_state(self.n, np.uint64)
        mask_array = None if mask is None else as_integer_array(mask, np.uint8, self.n, "mask", "game")
        self.rewards[...] = 0
        self.ended[...] = 0
        self.kernel.reset(seeds, mask_array)

    def _seed_array(self, seeds: Sequence[int] | NDArray[Any]) -> NDArray[np.uint64]:
        if isinstance(seeds, np.ndarray) and seeds.dtype == np.uint64:
            return as_integer_array(seeds, np.uint64, self.n, "seeds", "game")
        try:
            values = [expect_seed(seed) for seed in seeds]
        except LiminaError as error:
            raise LiminaError("seeds must be whole numbers from 0 on") from error
        return as_integer_array(np.array(values, np.uint64), np.uint64, self.n, "seeds", "game")

    def start_game(self, game_index: int, setup: object) -> None:
        """Begin one game with a setup (a deal or a layout), or at a position in which a player is to move.

        Raises LiminaError if the setup or position is invalid or does not fit the batch.
        """
        self.start_games((game_index,), setup)

    def start_games(self, game_indices: Iterable[int], setup: object) -> None:
        """Begin some games with the same setup or position, like `start_game`."""
        start: Callable[[Any, int, Any], None] = self.encoding.start_setup
        if isinstance(setup, ImmutablePositionMixin):
            self._check_position(setup)
            start = self.encoding.start_position
        for game_index in game_indices:
            start(self.kernel, game_index, setup)
        self.kernel.observe()

    def _check_position(self, position: Any) -> None:
        """Raise LiminaError if the position does not fit. Try it in another batch, so that this one does not change."""
        if not isinstance(position, type(self.position(0))):
            raise LiminaError(f"the position is not one of {registry.game(self.name).title}")
        if not position.to_move:
            raise LiminaError("no player is to move in this position")
        trial = self.encoding.batch(1, players=self.players, **self.options)
        try:
            self.encoding.start_position(trial, 0, position)
        except ValueError as error:
            raise LiminaError(str(error)) from None
        if self.encoding.position_of(trial, 0, **self.options) != position:
            raise LiminaError("the position does not fit: it has another deck, or other options, than the batch")

    def step(self, actions: NDArray[Any]) -> tuple[NDArray[np.float32], Bytes]:
        """Apply an action in each row. Returns `rewards` and `ended`."""
        self.kernel.step(as_integer_array(actions, np.int64, self._actions.size, "actions"))
        return self.rewards, self.ended

    def play(self, turns: NDArray[Any]) -> tuple[NDArray[np.float32], Bytes]:
        """Play a whole turn in each row, given by its code, where a turn begins. Returns `rewards` and `ended`."""
        self.kernel.play(as_integer_array(turns, np.uint32, self._actions.size, "turns"))
        return self.rewards, self.ended

    def sample(self) -> NDArray[np.int64]:
        """Return a random legal action for each row, in an array that the next call overwrites."""
        self.kernel.sample(self._actions)
        return self._actions

    @property
    def n_features(self) -> int:
        """Number of features in afterstates, or 0 if the game has none."""
        return int(getattr(self.kernel, "FEATURE_COUNT", 0))

    def afterstates(self, k: int) -> Afterstates:
        """Return the k best turns of each row by a simple evaluation, without turns that have the same result.

        Raises LiminaError if the game has no afterstates.

        >>> games = Batch("limit", 2, size=4, layouts=1)
        >>> afterstates = games.afterstates(5)
        >>> afterstates.turns.shape, afterstates.counts.tolist()
        ((2, 5), [5, 5])
        """
        if not self.n_features:
            raise LiminaError(f"{registry.game(self.name).title} has no afterstates")
        expect_int(k, "k", range(1, 4097))
        rows = (*self._rows, k)
        afterstates = Afterstates(
            np.empty(rows, np.uint32),
            np.empty(rows, np.float32),
            np.empty((*rows, self.kernel.MAX_FEATURES), np.int16),
            np.empty(self._rows, np.int32),
        )
        self.kernel.afterstates(k, *afterstates)
        return afterstates

    def position(self, game_index: int) -> Position:
        """Return the position of a game. Actions of an unfinished turn may be missing."""
        position: Position = self.encoding.position_of(self.kernel, game_index, **self.options)
        return position

    def unpack(self) -> tuple[Bytes, Bytes, Bytes]:
        """Return planes, vector and mask of the packed observations. Raises LiminaError without `packed=True`."""
        if self.packed is None:
            raise LiminaError("this batch does not pack its observations: create it with packed=True")
        planes, vector, mask = self.encoding.unpack(self.packed, **self.options)
        rows = self._rows
        return planes.reshape(*rows, *self.sizes.planes_shape), vector.reshape(*rows, -1), mask.reshape(*rows, -1)
