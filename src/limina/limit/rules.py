"""Limit for the registry of games: its specification, its record format and its capabilities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from limina.core.game import Game
from limina.core.position import IMPLICIT_PLAYER, ParsedStep, Setup, Step
from limina.core.rng import RandomSource
from limina.core.spec import BenchmarkSet, BenchmarkSpec, EvaluationScale, GameSpec, OptionSpec, SetupSpec
from limina.core.validation import expect_list, expect_object, expect_str, reject_unknown_keys
from limina.limit.draw.scene import COLORS, SIGNS, place_name
from limina.limit.notation import Turn, read_colored_tile
from limina.limit.position import Position

if TYPE_CHECKING:
    from limina.bots.base import BotFactory
    from limina.limit.companion.judge import LimitCompanionJudge
    from limina.limit.encoding import LimitEncoding
    from limina.limit.explain import LimitExplainer
    from limina.limit.lessons import LimitTutor
    from limina.limit.presenter import LimitPresenter
    from limina.limit.printing.printer import LimitPrinter
    from limina.limit.train import LimitTrainer

_RULES = """\
Move a pawn of yours over empty tiles to any empty tile it can reach, then remove an empty tile that has a free edge.
A group of pawns of one color that touches no empty tile is captured: the enemy's after the move and after the
removal, then your own. A removal may not leave pawns on two separate groups of tiles; groups without pawns go with
the tile. On the first turn nothing may be captured. The last player with pawns wins.

  c4-e5 xd3  move the pawn on c4 to e5, then remove d3
  c4-e5      if no tile can be removed after it
  xd3        if no pawn can move (rare), - if nothing can be done"""

_LADDER = ("random", "novice", "greedy", "casual", "skilled", "master@nodes=20000")


class Limit(Game[Position, Turn]):
    """Move a pawn, remove a tile, suffocate the enemy."""

    spec = GameSpec(
        name="limit",
        title="Limit",
        summary="Move a pawn, remove a tile, suffocate the enemy.",
        rules=_RULES,
        unit="turn",
        players=range(2, 4),
        max_seats=3,
        chance="setup",
        options=(
            OptionSpec(
                "size",
                "number",
                "pawns for each player and tiles of each color",
                default=8,
                allowed=range(4, 17),
            ),
        ),
        setups=SetupSpec("layout", "layouts", "its tiles, separated by spaces"),
        scale=EvaluationScale(
            "master",
            is_probability=True,
            mistake_threshold=0.08,
            blunder_threshold=0.2,
            accuracy_scale=0.2,
            default_max_work=100_000,
        ),
        benchmark=BenchmarkSpec(
            ladder=_LADDER,
            sets=(
                BenchmarkSet("test", 40, 2, {"size": 8}, opponents=_LADDER),
                BenchmarkSet("test-4", 40, 2, {"size": 4}, opponents=("skilled",), is_solved=True),
                BenchmarkSet("train", 200, 2, {"size": 8}, is_training=True),
            ),
        ),
    )

    def start(self, players: int = 2, **options: Any) -> Position:
        """Return the position before the tiles are laid out.

        Raises InvalidInputError if the number of players or an option is invalid.
        """
        self.spec.check_players(players)
        return Position.start(self.spec.check_options(options)["size"], players)

    read_turn = staticmethod(Turn.read)

    # --- chance

    def deal(self, start: Position, rng: RandomSource) -> tuple[Step, ...]:
        """Draw the layout, the only chance step of this game."""
        return (start.draw_chance_step(rng),)

    def read_setup(self, line: str, players: int, **options: Any) -> Setup[Position]:
        """Return the setup with a layout, given as tiles separated by spaces.

        Without the option `size`, the number of tiles determines it. Raises InvalidInputError if the layout is illegal.
        """
        tiles = line.split()
        size = self.spec.check_options(options)["size"] if "size" in options else len(tiles) // 4
        start, step = Position.start(size, players), Step(None, " ".join(tiles))
        start.apply(step)  # raises InvalidInputError if the layout is illegal
        return Setup(start, (step,))

    # --- records

    def options_of(self, start: Position) -> dict[str, Any]:
        """Return the option `size` of an initial position."""
        return {"size": start.size}

    def unpack(self, data: Mapping[str, Any], players: int) -> tuple[Position, list[ParsedStep]]:
        """Return the initial position and the steps of a record's JSON object: the layout, then the turns.

        Records omit the players of turns. Raises InvalidInputError if the record is invalid.
        """
        options = expect_object(data.get("options", {}), "options")
        reject_unknown_keys(options, ("size",), "options")
        start = self.start(players, **options)
        layout = " ".join(map("".join, map(read_colored_tile, expect_list(data.get("layout"), "layout"))))
        steps = [ParsedStep(Step(None, layout), "layout")] if layout else []  # a game before its layout is drawn
        for number, turn in enumerate(expect_list(data.get("turns", []), "turns"), 1):
            location = f"turn {number}"
            steps.append(ParsedStep(Step(IMPLICIT_PLAYER, expect_str(turn, location)), location))
        return start, steps

    def pack(self, start: Position, steps: Iterable[Step]) -> dict[str, Any]:
        """Return options, layout and turns of a record's JSON object."""
        all_steps = list(steps)
        return {
            "options": self.options_of(start),
            "layout": [tile for step in all_steps if step.player is None for tile in step.text.split()],
            "turns": [step.text for step in all_steps if step.player is not None],
        }

    # --- capabilities; imported at first use, since most programs need few of them

    @property
    def bots(self) -> Mapping[str, BotFactory]:
        """Bots by name, weakest first."""
        from limina.limit.bots import BOTS

        return BOTS

    @property
    def presenter(self) -> LimitPresenter:
        """Presenter for web pages: tiles, pawns, groups in danger, and legal turns with their captures."""
        from limina.limit.presenter import LimitPresenter

        return LimitPresenter()

    @property
    def explainer(self) -> LimitExplainer:
        """Explainer of turns: captures, and groups that lose or gain freedoms."""
        from limina.limit.explain import LimitExplainer

        return LimitExplainer()

    @property
    def tutor(self) -> LimitTutor:
        """Tutor with lessons on moving, sinking tiles, both kinds of capture and isolation."""
        from limina.limit.lessons import LimitTutor

        return LimitTutor()

    @property
    def trainer(self) -> LimitTrainer:
        """Trainer of the bots' weights."""
        from limina.limit.train import LimitTrainer

        return LimitTrainer()

    @property
    def encoding(self) -> LimitEncoding:
        """Encoding for reinforcement learning: tiles as actions, tiles and pawns in planes."""
        from limina.limit.encoding import LimitEncoding

        return LimitEncoding()

    @property
    def printer(self) -> LimitPrinter:
        """Printer of tiles, pawns and rules."""
        from limina.limit.printing.printer import LimitPrinter

        return LimitPrinter()

    @property
    def setup_guide(self) -> Limit:
        """Instructions to lay out a start for a physical game: `instructions`, below."""
        return self

    @property
    def companion_judge(self) -> LimitCompanionJudge:
        """Judge of physical games, which also deals layouts."""
        from limina.limit.companion.judge import LimitCompanionJudge

        return LimitCompanionJudge()

    def instructions(self, position: Position) -> str:
        """Return the places of the tiles by color, row by row from the far left."""
        lines = []
        for player, (letter, color) in enumerate(COLORS.items()):
            places = (place for place, tile_color in position.scene().tiles.items() if tile_color == letter)
            tiles = sorted(places, key=_reading_order)
            pawns = ", a pawn on each" if player < position.players else ""
            lines.append(f"{SIGNS[letter]} {color} ({len(tiles)}{pawns}): {' '.join(map(place_name, tiles))}")
        return "\n".join(lines)


def _reading_order(place: tuple[int, int]) -> tuple[int, int]:
    """Return a sort key for rows, and from left to right within a row."""
    return place[1], place[0]


GAME = Limit()
