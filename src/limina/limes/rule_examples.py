"""The examples of the rules as records: legal games that can be drawn, with claims that tests check."""

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
    """An example of the rules: a game, a round and player in it, and the worker whose points it explains.

    >>> farmer = example("farmer-5")
    >>> farmer.highlight, farmer.claims["points"]
    ('d4.nw', 5)
    """

    id: str
    record: dict[str, Any]
    """The record's JSON object."""
    player: int
    """The player whose display is shown."""
    round: int
    """The number of complete rounds."""
    highlight: str | None
    """The zone of the worker whose points the example explains."""
    claims: dict[str, Any]
    """Statements of the rules about the position, by name."""
    page_only: bool = False
    """True if the documentation does not contain it."""

    @property
    def position(self) -> Position:
        """The position after `round` rounds."""
        record: Record[Position, Turn] = Record.from_json(self.record)
        return next(position for position in record.positions() if position.round == self.round)

    def svg(self, player: int | None = None) -> str:
        """Return the display with the highlighted worker, or the display of the given player without highlight."""
        if player is None:
            return svg.draw(self.position.display(self.player).scene(self.player, highlighted=self.highlight))
        return svg.draw(self.position.display(player).scene(player))

    def to_json(self) -> dict[str, Any]:
        """Return plain values for a page to draw: the player's display, or all displays of a comparison."""
        displays = list(enumerate(LimesPresenter().view(self.position)["displays"]))
        is_comparison = "totals" in self.claims
        return {
            "id": self.id,
            "highlighted": None if is_comparison else self.highlight,
            "frames": self.claims.get("frames", []),
            "displays": [{"player": player, "display": display} for player, display in displays]
            if is_comparison
            else [{"player": self.player, "display": displays[self.player][1]}],
            "play": {"record": self._record_before().to_json(), "player": self.player},
        }

    def _record_before(self) -> Record[Position, Turn]:
        """Return the game before the player's turn of the last round, in which readers can try turns."""
        record: Record[Position, Turn] = Record.from_json(self.record)
        step_count = next(n for n, position in enumerate(record.positions()) if position.round == self.round)
        steps = list(record.steps[:step_count])
        del steps[max(n for n, step in enumerate(steps) if step.player == self.player)]
        before: Record[Position, Turn] = Record(record.game, record.names, record.start)
        for step in steps:
            before = before.apply(step)
        return before


@cache
def examples() -> tuple[Example, ...]:
    """Return all examples in the order of the rules."""
    return tuple(Example(**data) for data in load_examples("limina.limes"))


def example(example_id: str) -> Example:
    """Return the example with an id."""
    return find_example(example_id, examples())


def slideshow() -> list[dict[str, Any]]:
    """Return the display of a whole game after some of its rounds, for the small board of the start page."""
    record: Record[Position, Turn] = Record.from_json(example("full-game").record)
    position_after = {position.round: position for position in record.positions()}
    displays = [LimesPresenter().view(position_after[n])["displays"][0] for n in (4, 6, 8, 10, 12, 14, 16)]
    return [
        {**display, "workers": [{**worker, "territory": [], "counted": []} for worker in display["workers"]]}
        for display in displays
        if display is not None
    ]


def pictures() -> dict[str, str]:
    """Return the pictures of the documentation by the names of their files."""
    drawings = {"limes": example("full-game").svg(0), "cards": Deck.default().svg()}
    faces = [pieces.draw_face(Deck.default().scene()[card - 1], card) for card in (2, 21)]
    drawings["limes-printed"] = side_by_side([*faces, *(pieces.draw_back(style.color) for style in PLAYER_STYLES[:2])])
    for shown in examples():
        if "totals" in shown.claims:  # a comparison of all players
            players = range(shown.position.players)
            drawings |= {f"limes-{shown.id}-{player + 1}": shown.svg(player) for player in players}
        elif shown.id != "full-game" and not shown.page_only:
            drawings[f"limes-{shown.id}"] = shown.svg()
    return drawings
