"""Limes as the registry knows it: how a game begins, and how its records are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from limina import protocols
from limina._kernel import limes as kernel
from limina.check import a_flag, a_list, a_number, a_text, an_object, only_keys
from limina.limes.deck import Deck
from limina.limes.notation import Turn
from limina.limes.position import Position
from limina.limes.setups import deal, read_deal
from limina.protocols import Placed, Scale, Setup, Step, UnreadableError

if TYPE_CHECKING:
    from limina.limes.par import Par

_VARIANTS = ("diagonal", "ferryman")


class Limes:
    """Lay 16 cards into a 4x4 landscape and put workers to work."""

    name = "limes"
    title = "Limes"
    unit = "round"
    turn_by_turn = False
    player_counts = range(1, 1001)
    option_help: Mapping[str, str] = {
        "diagonal": "yes or no: touching a card at a corner is enough",
        "ferryman": "yes or no: workers cross water in which a worker stands",
        "deck": "a TOML file with 24 faces instead of our own deck",
    }
    setup_word = "deals"
    scale = Scale("master", percent=False, mistake=1.0, blunder=2.5, accuracy=3.0, work=500)
    rules = """\
Each round one card is drawn. Lay it beside your cards (the display never grows beyond 4x4), then place a worker from
your supply on it or move one to an adjacent territory, or neither. After 16 rounds each territory with workers scores
once: a farmer the zones of his field, a fisherman the huts beside his water, a woodcutter the territories beside his
forest, a watchman the forest zones he sees in his row and column up to the next tower.

  e4r1              lay the card on e4, turned once clockwise
  e4r1 +nw          ... and place a worker on its nw zone
  e4r1 d4.se>e4.nw  ... and move the worker on d4.se to e4.nw"""

    @property
    def bots(self) -> Mapping[str, Any]:
        """Its bots by name, weakest first."""
        # Loaded when a bot is first asked for: most of what reads records never needs one.
        from limina.limes.bots import BOTS

        return BOTS

    def start(self, players: int = 1, *, chance: Random | None = None, **options: Any) -> Position:
        """The position before the first card; nothing is laid at random."""
        only_keys(options, (*_VARIANTS, "deck"), "options")
        deck = options.pop("deck", None)
        if deck is not None and not isinstance(deck, Deck):
            deck = Deck(a_list(deck, "deck"))
        flags = {key: a_flag(value, f"option {key}") for key, value in options.items()}
        return Position.start(a_number(players, "players", self.player_counts), deck=deck, **flags)

    def options(self, words: Mapping[str, str]) -> dict[str, Any]:
        """Options given as words: `diagonal=yes`, `deck=FILE`."""
        only_keys(words, (*_VARIANTS, "deck"), "options")
        values: dict[str, Any] = {}
        for key, word in words.items():
            if key == "deck":
                values[key] = Deck.load(word)
            elif word not in ("yes", "no"):
                raise UnreadableError(f"option {key} must be yes or no")
            else:
                values[key] = word == "yes"
        return values

    def read_turn(self, text: str) -> Turn:
        """Read a turn from the notation."""
        return Turn.read(text)

    def unpack(self, data: Mapping[str, Any], players: int) -> tuple[Position, list[Placed]]:
        """Start and steps of a record: in each round the draw, then the players' turns."""
        options = an_object(data.get("options", {}), "options")
        only_keys(options, _VARIANTS, "options")
        deck = {"deck": data["deck"]} if "deck" in data else {}
        start = self.start(players, **options, **deck)
        draws = a_list(data.get("draws", []), "draws")
        rounds = a_list(data.get("turns", []), "turns")
        if len(draws) > kernel.ROUNDS:
            raise UnreadableError(f"a game has {kernel.ROUNDS} rounds, this one draws {len(draws)} cards")
        if len(rounds) > len(draws):
            raise UnreadableError(f"{len(rounds)} rounds were played with {len(draws)} cards drawn")
        steps = []
        for number, card in enumerate(draws, 1):
            drawn = a_number(card, f"round {number}: the card drawn", range(1, kernel.CARDS + 1))
            steps.append(Placed(Step(None, str(drawn)), f"round {number}: card {drawn}"))
            turns = a_list(rounds[number - 1], f"round {number}") if number <= len(rounds) else []
            if number <= len(rounds) and len(turns) != players:
                raise UnreadableError(f"round {number} must have {players} turns (null while open), not {len(turns)}")
            for player, turn in enumerate(turns):
                if turn is not None:
                    place = f"round {number}, player {player + 1}"
                    a_text(turn, place)
                    steps.append(Placed(Step(player, turn), place))
        return start, steps

    def pack(self, start: protocols.Position, steps: Iterable[Step]) -> dict[str, Any]:
        """Options, deck, draws and turns of a record."""
        assert isinstance(start, Position)
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
            "options": {"diagonal": start.diagonal, "ferryman": start.ferryman},
            "deck": list(start.deck.faces),
            "draws": draws,
            "turns": turns,
        }

    def read_setup(self, line: str, players: int, **options: Any) -> Setup:
        """A deal: the numbers of the cards in the order they are drawn."""
        return Setup(self.start(players, **options), read_deal(line))

    def deal_setup(self, chance: Random, players: int, **options: Any) -> Setup:
        """A deal of a whole game."""
        return Setup(self.start(players, **options), deal(chance))

    def points(self, position: protocols.Position) -> tuple[int, ...]:
        """Every player's points."""
        assert isinstance(position, Position)
        return tuple(board.total() for board in position.boards)

    def solve(self, start: protocols.Position, chance: Sequence[str], **effort: Any) -> Par:
        """The best game found for a start and all its cards, known in advance; see `par` for the effort."""
        from limina.limes.par import par

        assert isinstance(start, Position)
        variants = {"diagonal": start.diagonal, "ferryman": start.ferryman}
        return par(start.deck, [int(card) for card in chance], variants=variants, **effort)

    def par(self, record: Any) -> int | None:
        """The best total found for a record's cards, once all of them are drawn."""
        chance = [step.text for step in record.steps if step.player is None]
        return self.solve(record.start, chance).total if len(chance) == kernel.ROUNDS else None

    def train(self, **how: Any) -> None:
        """Learn the values anew; see `limina.limes.train`."""
        from limina.limes.train import train

        train(**how)

    def worth(self, position: protocols.Position, player: int) -> float:
        """The player's points."""
        return float(self.points(position)[player])

    def explain(self, position: protocols.Position, player: int, played: object | None, best: object) -> list[str]:
        """Why the best turn is better than the one played, in sentences."""
        from limina.limes.explain_turn import explain  # only reviews need it

        assert isinstance(position, Position)
        return explain(position, player, played, best)


GAME: protocols.Game = Limes()
