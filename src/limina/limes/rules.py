"""Limes as the registry knows it: what it is, how it begins, and how its records are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from limina._kernel import limes as kernel
from limina.core.game import Game
from limina.core.position import ParsedStep, Setup, Step
from limina.core.rng import RandomSource, as_random
from limina.core.spec import BenchmarkSet, BenchmarkSpec, EvaluationScale, GameSpec, OptionSpec, SetupSpec
from limina.core.validation import expect_int, expect_list, expect_object, expect_str, reject_unknown_keys
from limina.errors import InvalidInputError
from limina.limes.deals import read_deal
from limina.limes.decks.deck import Deck
from limina.limes.notation import Turn
from limina.limes.position import Position

if TYPE_CHECKING:
    from limina.bots.base import BotFactory
    from limina.limes.companion.judge import LimesCompanionJudge
    from limina.limes.encoding import LimesEncoding
    from limina.limes.explain import LimesExplainer
    from limina.limes.lessons import LimesTutor
    from limina.limes.par import ParSolver
    from limina.limes.presenter import LimesPresenter
    from limina.limes.printing.printer import LimesPrinter
    from limina.limes.train import LimesTrainer

_VARIANTS = ("diagonal", "ferryman")
_RULES = """\
Each round one card is drawn. Lay it beside your cards (the display never grows beyond 4x4), then place a worker from
your supply on it or move one to an adjacent territory, or neither. After 16 rounds each territory with workers scores
once: a farmer the zones of his field, a fisherman the huts beside his water, a woodcutter the territories beside his
forest, a watchman the forest zones he sees in his row and column up to the next tower.

  e4r1              lay the card on e4, turned once clockwise
  e4r1 +nw          ... and place a worker on its nw zone
  e4r1 d4.se>e4.nw  ... and move the worker on d4.se to e4.nw"""


class Limes(Game[Position, Turn]):
    """Lay 16 cards into a 4x4 landscape and put workers to work."""

    spec = GameSpec(
        name="limes",
        title="Limes",
        summary="Lay 16 cards into a 4x4 landscape and put workers to work.",
        rules=_RULES,
        unit="round",
        players=range(1, 1001),
        max_seats=8,
        simultaneous=True,
        chance="during",
        options=(
            OptionSpec("diagonal", "flag", "touching a card at a corner is enough", default=False),
            OptionSpec("ferryman", "flag", "workers cross water in which a worker stands", default=False),
            OptionSpec(
                "deck",
                "list",
                "a TOML file with 24 faces instead of our own deck",
                load=lambda path: list(Deck.load(path).faces),
            ),
        ),
        setups=SetupSpec("deal", "deals", "the card numbers in the order they are drawn"),
        scale=EvaluationScale("master", percent=False, mistake=1.0, blunder=2.5, accuracy=3.0, work=500),
        benchmark=BenchmarkSpec(
            ladder=("random", "novice", "casual", "greedy", "skilled", "master@rollouts=200"),
            sets=(BenchmarkSet("test", 200, 1), BenchmarkSet("train", 200, 1, training=True)),
        ),
    )

    def start(self, players: int = 1, **options: Any) -> Position:
        """The position before the first card."""
        self.spec.check_players(players)
        # Decks are told by their faces, and in Python they may be given as such.
        if isinstance(options.get("deck"), Deck):
            options["deck"] = list(options["deck"].faces)
        chosen = self.spec.check_options(options)
        deck = None if chosen["deck"] is None else Deck(chosen["deck"])
        return Position.start(players, deck=deck, diagonal=chosen["diagonal"], ferryman=chosen["ferryman"])

    read_turn = staticmethod(Turn.read)

    # --- chance

    def deal(self, start: Position, rng: RandomSource) -> tuple[Step, ...]:
        """The order of the whole deck."""
        order = as_random(rng).sample(range(1, kernel.CARDS + 1), kernel.CARDS)
        return tuple(Step(None, str(card)) for card in order)

    def read_setup(self, line: str, players: int, **options: Any) -> Setup[Position]:
        """A deal: the numbers of the cards in the order they are drawn."""
        return Setup(self.start(players, **options), read_deal(line))

    # --- records

    def options_of(self, start: Position) -> dict[str, Any]:
        """The variants; the deck has a key of its own."""
        return {"diagonal": start.diagonal, "ferryman": start.ferryman}

    def unpack(self, data: Mapping[str, Any], players: int) -> tuple[Position, list[ParsedStep]]:
        """Start and steps of a record: in each round the draw, then the players' turns."""
        options = expect_object(data.get("options", {}), "options")
        reject_unknown_keys(options, _VARIANTS, "options")
        deck = {"deck": data["deck"]} if "deck" in data else {}
        start = self.start(players, **options, **deck)
        draws = expect_list(data.get("draws", []), "draws")
        rounds = expect_list(data.get("turns", []), "turns")
        if len(draws) > kernel.ROUNDS:
            raise InvalidInputError(f"a game has {kernel.ROUNDS} rounds, this one draws {len(draws)} cards")
        if len(rounds) > len(draws):
            raise InvalidInputError(f"{len(rounds)} rounds were played with {len(draws)} cards drawn")
        steps = []
        for number, card in enumerate(draws, 1):
            drawn = expect_int(card, f"round {number}: the card drawn", range(1, kernel.CARDS + 1))
            steps.append(ParsedStep(Step(None, str(drawn)), f"round {number}: card {drawn}"))
            turns = expect_list(rounds[number - 1], f"round {number}") if number <= len(rounds) else []
            if number <= len(rounds) and len(turns) != players:
                raise InvalidInputError(f"round {number} must have {players} turns (null while open), not {len(turns)}")
            for player, turn in enumerate(turns):
                if turn is not None:
                    place = f"round {number}, player {player + 1}"
                    steps.append(ParsedStep(Step(player, expect_str(turn, place)), place))
        return start, steps

    def pack(self, start: Position, steps: Iterable[Step]) -> dict[str, Any]:
        """Options, deck, draws and turns of a record."""
        draws: list[int] = []
        turns: list[list[str | None]] = []
        for step in steps:
            if step.player is None:
                draws.append(int(step.text))
                turns.append([None] * start.players)
            else:
                row = next(row for row in turns if row[step.player] is None)
                row[step.player] = step.text
        return {
            "options": self.options_of(start),
            "deck": list(start.deck.faces),
            "draws": draws,
            "turns": turns,
        }

    # --- what it can do besides; each is loaded when it is first asked for, since most programs never do

    @property
    def bots(self) -> Mapping[str, BotFactory]:
        """Its bots by name, weakest first."""
        from limina.limes.bots import BOTS

        return BOTS

    @property
    def presenter(self) -> LimesPresenter:
        """Displays, the card in hand, legal turns with their totals."""
        from limina.limes.presenter import LimesPresenter

        return LimesPresenter()

    @property
    def scoring(self) -> Limes:
        """It counts its points itself."""
        return self

    def points(self, position: Position) -> tuple[int, ...]:
        """Every player's points."""
        return tuple(board.total() for board in position.boards)

    @property
    def explainer(self) -> LimesExplainer:
        """Who gains or loses points, and which territory stays open."""
        from limina.limes.explain import LimesExplainer

        return LimesExplainer()

    @property
    def solver(self) -> ParSolver:
        """The best total found for a deal."""
        from limina.limes.par import ParSolver

        return ParSolver()

    @property
    def tutor(self) -> LimesTutor:
        """Laying, the four professions, moving, and that one scores a territory."""
        from limina.limes.lessons import LimesTutor

        return LimesTutor()

    @property
    def trainer(self) -> LimesTrainer:
        """Learns what a display will be worth at the end."""
        from limina.limes.train import LimesTrainer

        return LimesTrainer()

    @property
    def decks(self) -> type[Deck]:
        """Decks of 24 faces, as TOML files."""
        return Deck

    @property
    def encoding(self) -> LimesEncoding:
        """Clicks on zones, landscapes in planes."""
        from limina.limes.encoding import LimesEncoding

        return LimesEncoding()

    @property
    def printer(self) -> LimesPrinter:
        """Decks, workers and rules."""
        from limina.limes.printing.printer import LimesPrinter

        return LimesPrinter()

    @property
    def companion_judge(self) -> LimesCompanionJudge:
        """Counts displays."""
        from limina.limes.companion.judge import LimesCompanionJudge

        return LimesCompanionJudge()


GAME = Limes()
