"""Who plays whom on what: the list of games, the same for the same seed wherever they are played."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, count
from random import Random
from typing import Any

from limina.arena.game import Job
from limina.bots import bot
from limina.bots.ask import DEFAULT_TURN_SECONDS
from limina.core.game import Game
from limina.core.position import Setup
from limina.core.spec import SetupSpec
from limina.core.validation import expect_int
from limina.errors import LiminaError

MOST_GAMES = 10_000_000


@dataclass(frozen=True)
class Plan:
    """An arena before it begins.

    >>> from limina import game
    >>> plan = Plan(game("limit"), ("random", "random"), games=4)
    >>> [job.seats for job in plan.jobs()]
    [(0, 1), (1, 0), (0, 1), (1, 0)]
    """

    game: Game
    bots: tuple[str, ...]
    games: int | None = None
    """Games of each table (of each bot, where they play alone); rounded up so that every seat is played alike."""
    seed: int = 0
    players: int | None = None
    """Seats at a table; 1 lets each bot play alone and compares their points."""
    options: Mapping[str, Any] = field(default_factory=dict)
    lines: Sequence[str] | None = None
    """The setups to play, a line each, instead of setups by chance."""
    seconds: float = DEFAULT_TURN_SECONDS
    keep: bool = False

    def __post_init__(self) -> None:
        if not self.bots:
            raise LiminaError("name at least one bot")
        if self.games is not None:
            expect_int(self.games, "the number of games", range(1, MOST_GAMES + 1))
        if self.lines is not None and not self.lines:
            raise LiminaError(f"there are no {self.setup_words.plural} to play")
        if self.seats not in self.game.spec.players:
            raise LiminaError(f"{self.game.title} is for {self.game.spec.player_range_text}, not {self.seats}")
        if self.seats > len(self.bots):
            raise LiminaError(f"a table of {self.seats} needs {self.seats} bots: name one twice to let it play itself")
        for name in self.bots:
            bot(self.game, name, allow_external=True)  # better now than in the middle
        for number in range(min(self.setups, len(self.lines or ()))):
            self._setup(number)

    @property
    def seats(self) -> int:
        """How many play at a table."""
        if self.players is not None:
            return self.players
        return 1 if len(self.bots) == 1 and 1 in self.game.spec.players else max(2, self.game.spec.players[0])

    @property
    def labels(self) -> tuple[str, ...]:
        """A name for each bot, all different."""
        numbers: dict[str, Iterator[int]] = {}
        labels = []
        for name in self.bots:
            number = next(numbers.setdefault(name, count(1)))
            labels.append(name if number == 1 else f"{name}#{number}")
        return tuple(labels)

    @property
    def pairings(self) -> tuple[tuple[int, ...], ...]:
        """Every choice of bots that meet, by their numbers."""
        return tuple(combinations(range(len(self.bots)), self.seats))

    @property
    def setups(self) -> int:
        """How many setups are played."""
        if self.games is not None:
            return -(-self.games // self.seats)
        return len(self.lines) if self.lines is not None else 100

    def __len__(self) -> int:
        return self.setups * len(self.pairings) * self.seats

    def jobs(self) -> Iterator[Job]:
        """All games. Setups are the outermost loop: a run that is cut short, or made longer, stays balanced."""
        index = 0
        for number in range(self.setups):
            setup = self._setup(number)
            start = self.game.pack(setup.start, ())
            for bots in self.pairings:
                for turned in range(self.seats):
                    seats = (*bots[turned:], *bots[:turned])
                    yield Job(
                        index,
                        number if self.lines is None else number % len(self.lines),
                        self.game.name,
                        start,
                        tuple(step.text for step in setup.deal),
                        seats,
                        tuple(self.bots[each] for each in seats),
                        tuple(derived(self.seed, "game", index, seat) for seat in range(self.seats)),
                        self.seconds,
                        self.keep,
                    )
                    index += 1

    def _setup(self, number: int) -> Setup:
        if self.lines is None:
            rng = Random(derived(self.seed, "setup", number))
            return self.game.setup(rng, self.seats, **self.options)
        line = number % len(self.lines)
        try:
            return self.game.read_setup(self.lines[line], self.seats, **self.options)
        except LiminaError as error:
            raise type(error)(f"{self.setup_words.singular} {line + 1}: {error}") from None

    @property
    def setup_words(self) -> SetupSpec:
        """What the game calls its setups."""
        return self.game.spec.setups or SetupSpec("setup", "setups", "")

    def identity(self) -> dict[str, Any]:
        """What must be the same for a run to be resumed."""
        setup = self._setup(0)
        first = self.game.pack(setup.start, setup.deal)
        lines = hashlib.sha256("\n".join(self.lines).encode()).hexdigest() if self.lines is not None else None
        return {
            "game": self.game.name,
            "bots": list(self.bots),
            "seed": self.seed,
            "players": self.seats,
            self.setup_words.plural: lines,
            "first": hashlib.sha256(json.dumps(first, sort_keys=True).encode()).hexdigest(),
            "seconds": self.seconds,
        }


def derived(*parts: object) -> int:
    """A seed made of other numbers and words, the same everywhere.

    >>> derived(1, "game", 2) == derived(1, "game", 2) != derived(1, "game", 3)
    True
    """
    return int.from_bytes(hashlib.sha256(repr(parts).encode()).digest()[:4], "big")
