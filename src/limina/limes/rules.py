"""The game Limes for the registry: its specification, its setup, its record format and its capabilities."""

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
Each round one card is drawn for all players. Lay it beside one of your cards; your display may be at most 4 cards wide
and 4 cards high. Then place a worker from your supply on the new card, or move a worker to an adjacent territory, or do
neither. After 16 rounds one worker in each territory scores: a farmer the zones of the field, a fisherman the huts by
the water, a woodcutter the territories beside the forest, a watchman on a tower the forest zones in the same row and
column, each way up to the next tower.

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
            OptionSpec("diagonal", "flag", "cards may also be laid corner to corner", default=False),
            OptionSpec(
                "ferryman", "flag", "workers may cross a water territory in which a worker stands", default=False
            ),
            OptionSpec(
                "deck",
                "list",
                "a TOML file with 24 faces, instead of limina's own deck",
                load=lambda path: list(Deck.load(path).faces),
            ),
        ),
        setups=SetupSpec("deal", "deals", "the card numbers in the order in which they are drawn"),
        scale=EvaluationScale(
            "master",
            is_probability=False,
            mistake_threshold=1.0,
            blunder_threshold=2.5,
            accuracy_scale=3.0,
            default_max_work=500,
        ),
        benchmark=BenchmarkSpec(
            ladder=("random", "novice", "casual", "greedy", "skilled", "master@rollouts=200"),
            sets=(BenchmarkSet("test", 200, 1), BenchmarkSet("train", 200, 1, is_training=True)),
        ),
    )

    def start(self, players: int = 1, **options: Any) -> Position:
        """Return the position before the first card; the option `deck` is a `Deck` or a list of 24 faces."""
        self.spec.check_players(players)
        if isinstance(options.get("deck"), Deck):
            options["deck"] = list(options["deck"].faces)
        checked = self.spec.check_options(options)
        deck = None if checked["deck"] is None else Deck(checked["deck"])
        return Position.start(players, deck=deck, diagonal=checked["diagonal"], ferryman=checked["ferryman"])

    read_turn = staticmethod(Turn.read)

    # --- chance

    def deal(self, start: Position, rng: RandomSource) -> tuple[Step, ...]:
        """Return the 24 cards in random order as steps; a game draws the first 16."""
        order = as_random(rng).sample(range(1, kernel.DECK_SIZE + 1), kernel.DECK_SIZE)
        return tuple(Step(None, str(card)) for card in order)

    def read_setup(self, line: str, players: int, **options: Any) -> Setup[Position]:
        """Read a deal: the numbers of the cards in the order in which they are drawn."""
        return Setup(self.start(players, **options), read_deal(line))

    # --- records

    def options_of(self, start: Position) -> dict[str, Any]:
        """Return the variants; a record stores the deck under a key of its own."""
        return {"diagonal": start.diagonal, "ferryman": start.ferryman}

    def unpack(self, data: Mapping[str, Any], players: int) -> tuple[Position, list[ParsedStep]]:
        """Return the start and the steps of a record: in each round the draw, then the players' turns."""
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
        for round_number, card in enumerate(draws, 1):
            location = f"round {round_number}"
            drawn = expect_int(card, f"{location}: the card drawn", range(1, kernel.DECK_SIZE + 1))
            steps.append(ParsedStep(Step(None, str(drawn)), f"{location}: card {drawn}"))
            if round_number > len(rounds):
                continue
            turns = expect_list(rounds[round_number - 1], location)
            if len(turns) != players:
                raise InvalidInputError(f"{location} must have {players} turns (null while open), not {len(turns)}")
            for player, turn in enumerate(turns):
                if turn is not None:
                    turn_location = f"{location}, player {player + 1}"
                    steps.append(ParsedStep(Step(player, expect_str(turn, turn_location)), turn_location))
        return start, steps

    def pack(self, start: Position, steps: Iterable[Step]) -> dict[str, Any]:
        """Return the options, deck, draws and turns of a record."""
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

    # --- capabilities, each imported on first use, since most programs need only some of them

    @property
    def bots(self) -> Mapping[str, BotFactory]:
        """The bots by name, weakest first."""
        from limina.limes.bots import BOTS

        return BOTS

    @property
    def presenter(self) -> LimesPresenter:
        """Presenter for web pages: displays, the card to lay, and legal turns with their totals."""
        from limina.limes.presenter import LimesPresenter

        return LimesPresenter()

    @property
    def scoring(self) -> Limes:
        """The game itself, since it counts points."""
        return self

    def points(self, position: Position) -> tuple[int, ...]:
        """Return the points of every player."""
        return tuple(board.total() for board in position.boards)

    @property
    def explainer(self) -> LimesExplainer:
        """The explainer: which workers gain or lose points, and which territories can still grow."""
        from limina.limes.explain import LimesExplainer

        return LimesExplainer()

    @property
    def solver(self) -> ParSolver:
        """The solver, which searches for the best total of a deal."""
        from limina.limes.par import ParSolver

        return ParSolver()

    @property
    def tutor(self) -> LimesTutor:
        """The tutor of the lessons: laying, professions, moving, and one scoring worker in each territory."""
        from limina.limes.lessons import LimesTutor

        return LimesTutor()

    @property
    def trainer(self) -> LimesTrainer:
        """The trainer of the weights that predict the final points of a display."""
        from limina.limes.train import LimesTrainer

        return LimesTrainer()

    @property
    def decks(self) -> type[Deck]:
        """The class of decks of 24 faces, stored as TOML files."""
        return Deck

    @property
    def encoding(self) -> LimesEncoding:
        """The encoding of turns as actions on zones, and of landscapes as planes."""
        from limina.limes.encoding import LimesEncoding

        return LimesEncoding()

    @property
    def printer(self) -> LimesPrinter:
        """The printer of decks, workers and rules."""
        from limina.limes.printing.printer import LimesPrinter

        return LimesPrinter()

    @property
    def companion_judge(self) -> LimesCompanionJudge:
        """The judge that scores the displays of a physical game."""
        from limina.limes.companion.judge import LimesCompanionJudge

        return LimesCompanionJudge()


GAME = Limes()
