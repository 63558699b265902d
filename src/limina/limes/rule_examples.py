"""The examples of the rules as records: each is a true game that can be drawn, with claims that can be checked.

`highlight` is the zone of the worker whose points the example explains, if it explains any, in the display of
`player` after `round` rounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from limina.core.record import Record
from limina.gamekit.rule_examples import find_example, load_examples
from limina.gamekit.svg import side_by_side
from limina.limes.decks.deck import Deck
from limina.limes.draw import svg
from limina.limes.draw.palette import PLAYER_STYLES
from limina.limes.notation import Turn
from limina.limes.position import Position
from limina.limes.presenter import LimesPresenter
from limina.limes.printing import pieces


@dataclass(frozen=True, slots=True)
class Example:
    """One example: a game, the moment of it to be shown, and what it is to show.

    >>> farmer = example("farmer-5")
    >>> farmer.highlight, farmer.claims["points"]
    ('d4.nw', 5)
    """

    id: str
    record: dict[str, Any]
    """The record's JSON object."""
    player: int
    round: int
    highlight: str | None
    claims: dict[str, Any]
    page_only: bool = False
    """Whether the documentation does without it."""

    @property
    def position(self) -> Position:
        """The position to be shown."""
        played: Record[Position, Turn] = Record.from_json(self.record)
        return next(position for position in played.positions() if position.round == self.round)

    def svg(self, player: int | None = None) -> str:
        """The position with the worker's points highlighted up, or the display of any player as it is."""
        highlighted = self.highlight if player is None else None
        shown = self.player if player is None else player
        return svg.draw(self.position.display(shown).scene(shown, highlighted=highlighted))

    def to_json(self) -> dict[str, Any]:
        """The same as plain values, for a page to draw: the display of the player, or of all that are compared."""
        displays = list(enumerate(LimesPresenter().view(self.position)["displays"]))
        compared = "totals" in self.claims
        return {
            "id": self.id,
            "highlighted": None if compared else self.highlight,
            "frames": self.claims.get("frames", []),
            "displays": [{"player": player, "display": each} for player, each in displays]
            if compared
            else [{"player": self.player, "display": displays[self.player][1]}],
            "play": {"record": self._before().to_json(), "player": self.player},
        }

    def _before(self) -> Record[Position, Turn]:
        """The game as it stood before the player's turn in the round that is shown, to be tried out."""
        played: Record[Position, Turn] = Record.from_json(self.record)
        shown = next(n for n, position in enumerate(played.positions()) if position.round == self.round)
        steps = list(played.steps[:shown])
        del steps[max(n for n, step in enumerate(steps) if step.player == self.player)]
        before: Record[Position, Turn] = Record(played.game, played.names, played.start)
        for step in steps:
            before = before.apply(step)
        return before


@cache
def examples() -> tuple[Example, ...]:
    """All examples, in the order of the rules."""
    return tuple(Example(**data) for data in load_examples("limina.limes"))


def example(name: str) -> Example:
    """The example of that name."""
    return find_example(name, examples())


def slideshow() -> list[dict[str, Any]]:
    """How a display grows in a whole game, for a page that shows a little board on which something happens."""
    played: Record[Position, Turn] = Record.from_json(example("full-game").record)
    ended = {position.round: position for position in played.positions()}
    displays = [LimesPresenter().view(ended[number])["displays"][0] for number in (4, 6, 8, 10, 12, 14, 16)]
    return [
        {**each, "workers": [{**worker, "territory": [], "counted": []} for worker in each["workers"]]}
        for each in displays
        if each is not None
    ]


def pictures() -> dict[str, str]:
    """The pictures of the documentation, by the names of their files."""
    drawn = {"limes": example("full-game").svg(0), "cards": Deck.default().svg()}
    faces = [pieces.draw_face(Deck.default().scene()[card - 1], card) for card in (2, 21)]
    drawn["limes-printed"] = side_by_side([*faces, *(pieces.draw_back(owner.color) for owner in PLAYER_STYLES[:2])])
    for each in examples():
        if "totals" in each.claims:  # players compared: the display of each
            players = range(each.position.players)
            drawn |= {f"limes-{each.id}-{player + 1}": each.svg(player) for player in players}
        elif each.id != "full-game" and not each.page_only:
            drawn[f"limes-{each.id}"] = each.svg()
    return drawn
