"""What a game keeps to, generic over its own positions (P) and turns (T).

A game is its specification (`GameSpec`, data), its rules (`Game` and `Position`), a face for pages (`Presenter`) and
whatever else it declares that it can do (`limina.core.capabilities`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any, Protocol

from limina.core.capabilities import (
    CompanionJudge,
    DeckLoader,
    Encoding,
    Explainer,
    Presenter,
    Printer,
    Scoring,
    SetupGuide,
    Solver,
    Trainer,
    Tutor,
)
from limina.core.position import P, ParsedStep, Setup, Step, T
from limina.core.spec import GameSpec
from limina.core.validation import expect_int, expect_list, expect_object, expect_str, reject_unknown_keys
from limina.errors import InvalidInputError


class Game(Protocol[P, T]):
    """The rules under one name. A game that inherits from this gets a plain record format."""

    @property
    def spec(self) -> GameSpec:
        """What the game is, as data."""

    @property
    def name(self) -> str:
        """Its name, as commands and records write it."""
        return self.spec.name

    @property
    def title(self) -> str:
        """Its name, as people write it."""
        return self.spec.title

    def start(self, players: int = ..., **options: Any) -> P:
        """The position before anything has happened, also before chance has laid the table."""

    def read_turn(self, text: str) -> T:
        """Read a turn from the notation."""

    @property
    def bots(self) -> Mapping[str, Callable[..., Any]]:
        """Its bots by name, weakest first: makers of a `limina.bots.base.Bot`, called with `seed` and `threads`."""
        return {}

    # --- chance

    def deal(self, start: P, rng: Random) -> tuple[Step, ...]:
        """As much of what chance will do in one game as can be said in advance, whatever the players do."""
        return ()

    def setup(self, rng: Random, players: int, **options: Any) -> Setup[P]:
        """A setup from a source of chance."""
        start = self.start(players, **options)
        return Setup(start, self.deal(start, rng))

    def read_setup(self, line: str, players: int, **options: Any) -> Setup[P]:
        """A setup from a line of a file."""
        raise InvalidInputError(f"{self.title} is not set up from a file")

    # --- records

    def options_of(self, start: P) -> dict[str, Any]:
        """The options that a start was made with, as a record keeps them."""
        return {}

    def pack(self, start: P, steps: Iterable[Step]) -> dict[str, Any]:
        """The game's own part of a record's JSON object."""
        return {"options": self.options_of(start), "steps": [[step.player, step.text] for step in steps]}

    def unpack(self, data: Mapping[str, Any], players: int) -> tuple[P, list[ParsedStep]]:
        """The start and the steps of a record's JSON object."""
        options = expect_object(data.get("options", {}), "options")
        reject_unknown_keys(options, tuple(option.name for option in self.spec.options), "options")
        start = self.start(players, **options)
        steps = []
        for number, entry in enumerate(expect_list(data.get("steps", []), "steps"), 1):
            place = f"step {number}"
            pair = expect_list(entry, place)
            if len(pair) != 2:
                raise InvalidInputError(f"{place} must be a player (null for chance) and a text")
            player = None if pair[0] is None else expect_int(pair[0], f"{place}: the player", range(players))
            steps.append(ParsedStep(Step(player, expect_str(pair[1], place)), place))
        return start, steps

    # --- what it can do besides; None where it cannot

    @property
    def presenter(self) -> Presenter[P] | None:
        """How pages are told of it; without one, `limina.core.presenter` shows its drawing and its turns."""
        return None

    @property
    def scoring(self) -> Scoring[P] | None:
        """How its points are counted, where it counts points."""
        return None

    @property
    def explainer(self) -> Explainer[P, T] | None:
        """Who explains its turns."""
        return None

    @property
    def solver(self) -> Solver[P] | None:
        """Who finds par."""
        return None

    @property
    def trainer(self) -> Trainer | None:
        """How the values of its bots are learned."""
        return None

    @property
    def tutor(self) -> Tutor | None:
        """Who teaches it."""
        return None

    @property
    def decks(self) -> DeckLoader | None:
        """How its decks are read."""
        return None

    @property
    def encoding(self) -> Encoding[P, T] | None:
        """How it is told to programs that learn by playing."""
        return None

    @property
    def printer(self) -> Printer | None:
        """How it is printed, to be cut out and played."""
        return None

    @property
    def setup_guide(self) -> SetupGuide[P] | None:
        """How its starts are laid out on a real table."""
        return None

    @property
    def companion_judge(self) -> CompanionJudge[P] | None:
        """What it makes of a real table that somebody has entered."""
        return None
