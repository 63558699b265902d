"""Games side by side: one call steps them all in the kernel, without Python's lock, into arrays that stay the same."""

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
    """The best turns of each row as they look at once, best first: by points, or by pawns and freedoms."""

    turns: NDArray[np.uint32]
    """Their numbers, as `Batch.play` takes them."""
    gains: NDArray[np.float32]
    """What each brings at once to whoever plays it: points, or what is paid once that is decided."""
    features: NDArray[np.int16]
    """What the position after each is made of, as who plays it sees it: numbers below `n_features`, filled up with
    `n_features`; nothing where all is decided."""
    found: NDArray[np.int32]
    """How many turns there are in each row; those after them are empty."""


def a_seed(value: object) -> int:
    """The value, if it can be a seed: Python's whole numbers and those of numpy."""
    return expect_int(value, "seed", range(1 << 64))


def numbers(values: object, dtype: type[np.number[Any]], n: int, what: str, each: str = "row") -> NDArray[Any]:
    """Whole numbers as the kernel takes them, if there are as many as it needs."""
    given = np.asarray(values)
    if given.dtype.kind not in "iub":
        raise LiminaError(f"{what} must be whole numbers, not {given.dtype}")
    if given.size != n:
        raise LiminaError(f"{what} must be {n} numbers, one for each {each}, not {given.size}")
    return np.ascontiguousarray(given, dtype)


def encoding_of(name: str) -> Encoding[Any, Any]:
    """How a game is told in numbers, or LiminaError."""
    game = registry.game(name)
    if game.encoding is None:
        raise LiminaError(f"{game.title} does not say how it is told in numbers")
    return game.encoding


class Batch:
    """So many games, each a row; where all players move at once, a row for each seat of each game.

    `planes`, `vector` and `action_mask` (or `packed`, with `packed=True`), `rewards`, `ended` and `player` are written
    anew by each step: copy what is to be kept. `rewards` holds every player's, and those alone a single number. With
    `autoreset` a game that has ended begins again at once ("same_step"), with the next step, whose action is then
    ignored ("next_step"), or "never". An illegal action ends its game with `illegal_reward`. All other options are the
    game's: Limes has `deck`, `diagonal`, `ferryman` and `reward` ("gain" of each turn, or "final"), Limit has `size`,
    `layouts`, how many of them all games share (0: each game is dealt its own, which takes about as long as to play
    it), and the `seed` of those.

    `copy.deepcopy` makes a batch of the same games that goes on apart from this one, into arrays of its own.
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
        together = game.spec.simultaneous and self.players > 1
        rows = (self.n, self.players) if together else (self.n,)
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
        """Write into these arrays of the caller's from now on, by the names of those they take the place of."""
        for name, array in arrays.items():
            mine = getattr(self, name, None)
            if not isinstance(mine, np.ndarray):
                raise LiminaError(f"there is no array called {name} in this batch")
            if array.shape != mine.shape or array.dtype != mine.dtype or not array.flags.c_contiguous:
                raise LiminaError(f"{name} must be a contiguous array of {mine.dtype} with the shape {mine.shape}")
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
        twin = copy(self)
        memo[id(self)] = twin
        twin.kernel = self.kernel.copy()
        for name, mine in vars(self).items():
            if isinstance(mine, np.ndarray):
                setattr(twin, name, mine.copy())
        twin.attach()
        return twin

    def reset(
        self,
        seed: int | np.integer[Any] | Sequence[int] | NDArray[Any] | None = None,
        which: Sequence[bool] | NDArray[Any] | None = None,
    ) -> None:
        """Begin all games, or those chosen, anew: from a seed for each game, or one from which they follow."""
        if isinstance(seed, list | tuple) or (isinstance(seed, np.ndarray) and seed.ndim > 0):
            seeds: NDArray[Any] = self._seeds(seed)
        else:
            one = None if seed is None else a_seed(seed)
            seeds = np.random.SeedSequence(one).generate_state(self.n, np.uint64)
        chosen = None if which is None else numbers(which, np.uint8, self.n, "which", "game")
        self.rewards[...] = 0
        self.ended[...] = 0
        self.kernel.reset(seeds, chosen)

    def _seeds(self, given: Sequence[int] | NDArray[Any]) -> NDArray[np.uint64]:
        if isinstance(given, np.ndarray) and given.dtype == np.uint64:
            return numbers(given, np.uint64, self.n, "seeds", "game")
        try:
            seeds = [a_seed(seed) for seed in given]
        except LiminaError as error:
            raise LiminaError("seeds must be whole numbers from 0 on") from error
        return numbers(np.array(seeds, np.uint64), np.uint64, self.n, "seeds", "game")

    def begin(self, game: int, setup: object) -> None:
        """Begin one game from a setup (a deal or a layout), or from a position at which somebody is to move."""
        self.begin_all((game,), setup)

    def begin_all(self, chosen: Iterable[int], setup: object) -> None:
        """Begin these games from the same setup or position."""
        begin: Callable[[Any, int, Any], None] = self.encoding.start_setup
        if isinstance(setup, ImmutablePositionMixin):
            self._must_fit(setup)
            begin = self.encoding.start_position
        for game in chosen:
            begin(self.kernel, game, setup)
        self.kernel.observe()

    def _must_fit(self, position: Any) -> None:
        """Try the position in a batch of its own: one that does not fit is to change nothing here."""
        if not isinstance(position, type(self.position(0))):
            raise LiminaError(f"the position is not one of {registry.game(self.name).title}")
        if not position.to_move:
            raise LiminaError("nobody is to move at this position")
        trial = self.encoding.batch(1, players=self.players, **self.options)
        try:
            self.encoding.start_position(trial, 0, position)
        except ValueError as error:
            raise LiminaError(str(error)) from None
        if self.encoding.position_of(trial, 0, **self.options) != position:
            raise LiminaError("the position does not fit: it has another deck, or other options, than the batch")

    def step(self, actions: NDArray[Any]) -> tuple[NDArray[np.float32], Bytes]:
        """One click in each row; rewards, and which games have ended."""
        self.kernel.step(numbers(actions, np.int64, self._actions.size, "actions"))
        return self.rewards, self.ended

    def play(self, turns: NDArray[Any]) -> tuple[NDArray[np.float32], Bytes]:
        """A whole turn in each row where one begins, by its number."""
        self.kernel.play(numbers(turns, np.uint32, self._actions.size, "turns"))
        return self.rewards, self.ended

    def sample(self) -> NDArray[np.int64]:
        """A random legal click for each row, in an array that the next call writes anew."""
        self.kernel.sample(self._actions)
        return self._actions

    @property
    def n_features(self) -> int:
        """How many features there are in afterstates."""
        return int(getattr(self.kernel, "FEATURES", 0))

    def afterstates(self, k: int) -> Afterstates:
        """The k turns of each row that look best at once, of those that differ; for games that can say so.

        >>> many = Batch("limit", 2, size=4, layouts=1)
        >>> found = many.afterstates(5)
        >>> found.turns.shape, found.found.tolist()
        ((2, 5), [5, 5])
        """
        if not self.n_features:
            raise LiminaError(f"{registry.game(self.name).title} has no afterstates")
        expect_int(k, "k", range(1, 4097))
        rows = (*self._rows, k)
        found = Afterstates(
            np.empty(rows, np.uint32),
            np.empty(rows, np.float32),
            np.empty((*rows, self.kernel.MOST_FEATURES), np.int16),
            np.empty(self._rows, np.int32),
        )
        self.kernel.afterstates(k, *found)
        return found

    def position(self, game: int) -> Position:
        """Where a game stands, as far as turns are made."""
        position: Position = self.encoding.position_of(self.kernel, game, **self.options)
        return position

    def unpack(self) -> tuple[Bytes, Bytes, Bytes]:
        """Planes, vector and mask of what is packed now."""
        if self.packed is None:
            raise LiminaError("this batch does not pack what can be seen: make it with packed=True")
        planes, vector, mask = self.encoding.unpack(self.packed, **self.options)
        rows = self._rows
        return planes.reshape(*rows, *self.sizes.planes_shape), vector.reshape(*rows, -1), mask.reshape(*rows, -1)
