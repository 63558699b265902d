"""The schedule of an arena: which bots play which games on which setups. Equal plans have equal games."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, count
from random import Random
from typing import Any

from limina.arena.game import GameTask
from limina.bots import bot
from limina.bots.ask import DEFAULT_TURN_SECONDS
from limina.core.game import Game
from limina.core.position import Setup
from limina.core.spec import SetupSpec
from limina.core.validation import expect_int
from limina.errors import LiminaError

MAX_GAMES = 10_000_000
_DEFAULT_SETUP_COUNT = 100


@dataclass(frozen=True)
class ArenaPlan:
    """The bots and games of an arena. Raises LiminaError if they do not fit together.

    >>> from limina import game
    >>> plan = ArenaPlan(game("limit"), ("random", "random"), games=4)
    >>> [task.seats for task in plan.tasks()]
    [(0, 1), (1, 0), (0, 1), (1, 0)]
    """

    game: Game
    bots: tuple[str, ...]
    games: int | None = None
    """Games of each pairing (of each bot if they play alone), rounded up so that each bot plays each seat equally."""
    seed: int = 0
    players: int | None = None
    """Number of seats in a game. With 1, each bot plays alone, and their points are compared."""
    options: Mapping[str, Any] = field(default_factory=dict)
    setup_lines: Sequence[str] | None = None
    """Setups to play, one per line, instead of random ones."""
    seconds: float = DEFAULT_TURN_SECONDS
    """Time limit for a turn."""
    keep_records: bool = False
    """True if the results contain the records."""

    def __post_init__(self) -> None:
        if not self.bots:
            raise LiminaError("name at least one bot")
        if self.games is not None:
            expect_int(self.games, "the number of games", range(1, MAX_GAMES + 1))
        if self.setup_lines is not None and not self.setup_lines:
            raise LiminaError(f"there are no {self.setup_spec.plural} to play")
        if self.seat_count not in self.game.spec.players:
            raise LiminaError(f"{self.game.title} is for {self.game.spec.player_range_text}, not {self.seat_count}")
        if self.seat_count > len(self.bots):
            raise LiminaError(
                f"a game of {self.seat_count} needs {self.seat_count} bots: name one twice to let it play itself"
            )
        for name in self.bots:
            bot(self.game, name, allow_external=True)  # raises now and not in the middle of the run
        for index in range(min(self.setup_count, len(self.setup_lines or ()))):
            self._setup(index)

    @property
    def seat_count(self) -> int:
        """Number of seats in a game."""
        if self.players is not None:
            return self.players
        return 1 if len(self.bots) == 1 and 1 in self.game.spec.players else max(2, self.game.spec.players[0])

    @property
    def labels(self) -> tuple[str, ...]:
        """A label for each bot: its name, with a number if an earlier bot has the same name."""
        numbers: dict[str, Iterator[int]] = {}
        labels = []
        for name in self.bots:
            number = next(numbers.setdefault(name, count(1)))
            labels.append(name if number == 1 else f"{name}#{number}")
        return tuple(labels)

    @property
    def pairings(self) -> tuple[tuple[int, ...], ...]:
        """All sets of bots that play together, as indices."""
        return tuple(combinations(range(len(self.bots)), self.seat_count))

    @property
    def setup_count(self) -> int:
        """Number of setups that are played."""
        if self.games is not None:
            return -(-self.games // self.seat_count)
        return len(self.setup_lines) if self.setup_lines is not None else _DEFAULT_SETUP_COUNT

    def __len__(self) -> int:
        return self.setup_count * len(self.pairings) * self.seat_count

    def tasks(self) -> Iterator[GameTask]:
        """Yield all games. Setups are the outermost loop, so that a shorter or longer run is balanced too."""
        game_index = 0
        for setup_index in range(self.setup_count):
            setup = self._setup(setup_index)
            start = self.game.pack(setup.start, ())
            for pairing in self.pairings:
                for rotation in range(self.seat_count):
                    seats = (*pairing[rotation:], *pairing[:rotation])
                    yield GameTask(
                        game_index,
                        setup_index if self.setup_lines is None else setup_index % len(self.setup_lines),
                        self.game.name,
                        start,
                        tuple(step.text for step in setup.deal),
                        seats,
                        tuple(self.bots[bot_index] for bot_index in seats),
                        tuple(derive_seed(self.seed, "game", game_index, seat) for seat in range(self.seat_count)),
                        self.seconds,
                        self.keep_records,
                    )
                    game_index += 1

    def _setup(self, index: int) -> Setup:
        if self.setup_lines is None:
            rng = Random(derive_seed(self.seed, "setup", index))
            return self.game.random_setup(rng, self.seat_count, **self.options)
        line_index = index % len(self.setup_lines)
        try:
            return self.game.read_setup(self.setup_lines[line_index], self.seat_count, **self.options)
        except LiminaError as error:
            raise type(error)(f"{self.setup_spec.singular} {line_index + 1}: {error}") from None

    @property
    def setup_spec(self) -> SetupSpec:
        """The game's names for its setups."""
        return self.game.spec.setups or SetupSpec("setup", "setups", "")

    def identity(self) -> dict[str, Any]:
        """Return the values that must be equal for a run to be resumed."""
        setup = self._setup(0)
        first = self.game.pack(setup.start, setup.deal)
        lines = self.setup_lines
        lines_hash = hashlib.sha256("\n".join(lines).encode()).hexdigest() if lines is not None else None
        return {
            "game": self.game.name,
            "bots": list(self.bots),
            "seed": self.seed,
            "players": self.seat_count,
            self.setup_spec.plural: lines_hash,
            "first": hashlib.sha256(json.dumps(first, sort_keys=True).encode()).hexdigest(),
            "seconds": self.seconds,
        }


def derive_seed(*parts: object) -> int:
    """Return a seed that depends only on these numbers and texts, equal on all machines.

    >>> derive_seed(1, "game", 2) == derive_seed(1, "game", 2) != derive_seed(1, "game", 3)
    True
    """
    return int.from_bytes(hashlib.sha256(repr(parts).encode()).digest()[:4], "big")
