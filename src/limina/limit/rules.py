"""Limit as the registry knows it: how a game begins, and how its records are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from limina import protocols
from limina.check import a_list, a_number, a_text, an_object, only_keys
from limina.limit.notation import Turn
from limina.limit.position import Position
from limina.protocols import WHOEVER_MOVES, Placed, Scale, Setup, Step, UnreadableError

SIZES = range(4, 17)
DEFAULT_SIZE = 8


class Limit:
    """Move a pawn, remove a tile, suffocate the enemy."""

    name = "limit"
    title = "Limit"
    unit = "turn"
    turn_by_turn = True
    player_counts = range(2, 4)
    option_help: Mapping[str, str] = {"size": "pawns for each player and tiles of each colour, 4 to 16 (8)"}
    setup_word = "layouts"
    scale = Scale("master", percent=True, mistake=0.08, blunder=0.2, accuracy=0.2, work=100_000)
    rules = """\
Move a pawn of yours over empty tiles to any empty tile it can reach, then remove an empty tile that has a free edge.
A group of pawns of one colour that touches no empty tile is captured: the enemy's after the move and after the
removal, then your own. A removal may not leave pawns on two separate groups of tiles; groups without pawns go with
the tile. On the first turn nothing may be captured. The last player with pawns wins.

  c4-e5 xd3  move the pawn on c4 to e5, then remove d3
  c4-e5      where no tile can be removed
  xd3        where no pawn can be moved (rare), - where nothing can be done"""

    @property
    def bots(self) -> Mapping[str, Any]:
        """Its bots by name, weakest first."""
        # Loaded when a bot is first asked for: most of what reads records never needs one.
        from limina.limit.bots import BOTS

        return BOTS

    def train(self, **how: Any) -> None:
        """Learn the values that its bots go by, and write them; see `limina.limit.train`."""
        from limina.limit.train import train

        train(**how)

    def start(self, players: int = 2, *, chance: Random | None = None, **options: Any) -> Position:
        """The position before the first turn, on a layout given or dealt by chance."""
        only_keys(options, ("size", "layout"), "options")
        a_number(players, "players", self.player_counts)
        size = a_number(options.get("size", DEFAULT_SIZE), "option size", SIZES)
        if "layout" not in options:
            if chance is None:
                raise UnreadableError("the tiles are laid at random: pass a source of chance, or a layout")
            return Position.random(size, players, chance=chance)
        layout = a_list(options["layout"], "layout")
        if len(layout) != 4 * size:
            raise UnreadableError(f"layout: size {size} needs {4 * size} tiles, this layout has {len(layout)}")
        return Position.from_layout(layout, players)

    def options(self, words: Mapping[str, str]) -> dict[str, Any]:
        """Options given as words: `size=6`."""
        only_keys(words, ("size",), "options")
        if not all(word.isdecimal() and len(word) < 3 for word in words.values()):
            raise UnreadableError("option size must be a number from 4 to 16")
        return {key: int(word) for key, word in words.items()}

    def read_turn(self, text: str) -> Turn:
        """Read a turn from the notation."""
        return Turn.read(text)

    def unpack(self, data: Mapping[str, Any], players: int) -> tuple[Position, list[Placed]]:
        """Start and steps of a record; whose turn it is follows from the replay."""
        options = an_object(data.get("options", {}), "options")
        only_keys(options, ("size",), "options")
        start = self.start(players, layout=data.get("layout"), **options)
        steps = []
        for number, turn in enumerate(a_list(data.get("turns", []), "turns"), 1):
            place = f"turn {number}"
            steps.append(Placed(Step(WHOEVER_MOVES, a_text(turn, place)), place))
        return start, steps

    def pack(self, start: protocols.Position, steps: Iterable[Step]) -> dict[str, Any]:
        """Options, layout and turns of a record."""
        assert isinstance(start, Position)
        return {
            "options": {"size": start.size},
            "layout": list(start.layout),
            "turns": [step.text for step in steps],
        }

    def read_setup(self, line: str, players: int, **options: Any) -> Setup:
        """A layout: its tiles, separated by spaces. Its size is what the tiles make it."""
        tiles = line.split()
        if "size" in options and len(tiles) != 4 * options["size"]:
            raise UnreadableError(f"size {options['size']} needs {4 * options['size']} tiles, not {len(tiles)}")
        return Setup(Position.from_layout(tiles, players))

    def deal_setup(self, chance: Random, players: int, **options: Any) -> Setup:
        """A layout dealt by chance."""
        return Setup(self.start(players, chance=chance, **options))

    def points(self, position: protocols.Position) -> None:
        """Nothing is counted in this game: one wins or not."""

    def worth(self, position: protocols.Position, player: int) -> float:
        """The player's share of the win."""
        winners = position.outcome.winners if position.outcome else ()
        return 1 / len(winners) if player in winners else 0.0

    def explain(self, position: protocols.Position, player: int, played: object | None, best: object) -> list[str]:
        """Why the best turn is better than the one played, in sentences."""
        from limina.limit.explain_turn import explain  # only reviews need it

        assert isinstance(position, Position)
        return explain(position, player, played, best)


GAME: protocols.Game = Limit()
