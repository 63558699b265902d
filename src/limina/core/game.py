"""The protocol of a game, generic over its positions (P) and turns (T).

A game consists of its specification (`GameSpec`), its rules (`Game` and `Position`) and optional capabilities such as a
presenter for web pages (`limina.core.capabilities`).
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
    """A game: its specification, its rules and its capabilities. Subclasses inherit a record format.

    >>> import limina
    >>> game = limina.game("limes")
    >>> game.title, game.spec.player_range_text
    ('Limes', '1 to 1000 players')
    >>> game.start(players=2).awaits_chance
    True
    >>> str(game.read_turn("d4r0 +nw"))
    'd4r0 +nw'
    """

    @property
    def spec(self) -> GameSpec:
        """Specification of the game."""

    @property
    def name(self) -> str:
        """Name in commands and records."""
        return self.spec.name

    @property
    def title(self) -> str:
        """Name for people."""
        return self.spec.title

    def start(self, players: int = ..., **options: Any) -> P:
        """Return the initial position, before any chance step.

        Raises InvalidInputError if the number of players or an option is invalid.
        """

    def read_turn(self, text: str) -> T:
        """Return the turn that a text in the notation describes. Raises InvalidInputError if it cannot be read."""

    @property
    def bots(self) -> Mapping[str, Callable[..., Any]]:
        """Bots by name, weakest first.

        Each value returns a `limina.bots.base.Bot` when it is called with `seed` and `threads`.
        """
        return {}

    # --- chance

    def deal(self, start: P, rng: Random) -> tuple[Step, ...]:
        """Draw all chance steps of a game that do not depend on the players' turns."""
        return ()

    def random_setup(self, rng: Random, players: int, **options: Any) -> Setup[P]:
        """Draw a random setup."""
        start = self.start(players, **options)
        return Setup(start, self.deal(start, rng))

    def read_setup(self, line: str, players: int, **options: Any) -> Setup[P]:
        """Return the setup that a line of a file describes. Raises InvalidInputError if it cannot be read."""
        raise InvalidInputError(f"{self.title} cannot be set up from a file")

    # --- records

    def options_of(self, start: P) -> dict[str, Any]:
        """Return the options of an initial position, as records write them."""
        return {}

    def pack(self, start: P, steps: Iterable[Step]) -> dict[str, Any]:
        """Return the part of a record's JSON object that depends on the game."""
        return {"options": self.options_of(start), "steps": [[step.player, step.text] for step in steps]}

    def unpack(self, data: Mapping[str, Any], players: int) -> tuple[P, list[ParsedStep]]:
        """Return the initial position and the steps of a record's JSON object, or raise InvalidInputError."""
        options = expect_object(data.get("options", {}), "options")
        reject_unknown_keys(options, tuple(option.name for option in self.spec.options), "options")
        start = self.start(players, **options)
        steps = []
        for number, entry in enumerate(expect_list(data.get("steps", []), "steps"), 1):
            location = f"step {number}"
            pair = expect_list(entry, location)
            if len(pair) != 2:
                raise InvalidInputError(f"{location} must be a player (null for chance) and a string")
            player = None if pair[0] is None else expect_int(pair[0], f"{location}: the player", range(players))
            steps.append(ParsedStep(Step(player, expect_str(pair[1], location)), location))
        return start, steps

    # --- capabilities; None if the game does not have one

    @property
    def presenter(self) -> Presenter[P] | None:
        """Presenter for web pages. Without one, `limina.core.presenter` shows the drawing and the turns."""
        return None

    @property
    def scoring(self) -> Scoring[P] | None:
        """Point counter, if the game has points."""
        return None

    @property
    def explainer(self) -> Explainer[P, T] | None:
        """Explainer of good and bad turns."""
        return None

    @property
    def solver(self) -> Solver[P] | None:
        """Solver that finds par."""
        return None

    @property
    def trainer(self) -> Trainer | None:
        """Trainer for the weights of its bots."""
        return None

    @property
    def tutor(self) -> Tutor | None:
        """Source of the lessons of its tutorial."""
        return None

    @property
    def decks(self) -> DeckLoader | None:
        """Loader of its decks of cards."""
        return None

    @property
    def encoding(self) -> Encoding[P, T] | None:
        """Encoding as numbers and actions for reinforcement learning."""
        return None

    @property
    def printer(self) -> Printer | None:
        """Printer of sheets to cut out and play with."""
        return None

    @property
    def setup_guide(self) -> SetupGuide[P] | None:
        """Instructions to lay out a start for a physical game."""
        return None

    @property
    def companion_judge(self) -> CompanionJudge[P] | None:
        """Judge of physical games that players enter by hand."""
        return None
