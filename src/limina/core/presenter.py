"""The presenter of games that have no presenter of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import TypedDict

from limina.core.capabilities import Presenter
from limina.core.game import Game
from limina.core.position import Outcome, Position, Step


class GenericView(TypedDict):
    """The drawings of a position."""

    light: str
    """SVG document for a light page."""
    dark: str
    """SVG document for a dark page."""
    text: str
    """Drawing in text, for screen readers."""


class GenericLegal(TypedDict):
    """All legal turns of a player, in the notation."""

    turns: list[str]


class GenericPreview(TypedDict):
    """The drawings of the position after a turn."""

    turn: str
    light: str
    dark: str


def presenter_of(game: Game) -> Presenter:
    """Return the presenter of a game, or the generic one if it has none."""
    return game.presenter or GenericPresenter()


class GenericPresenter:
    """A presenter that works for every game: it shows the drawing of a position and lists its turns."""

    types: Mapping[str, Any] = {"view": GenericView, "legal": GenericLegal, "preview": GenericPreview}

    def view(self, position: Position, before: Position | None = None) -> GenericView:
        """Return the drawings of a position."""
        return {"light": position.svg(theme="light"), "dark": position.svg(theme="dark"), "text": position.text()}

    def legal(self, position: Position, player: int) -> GenericLegal:
        """Return the legal turns of a player."""
        return {"turns": [str(turn) for turn in position.legal_turns(player)]}

    def preview(self, position: Position, player: int, turn: str) -> GenericPreview:
        """Return the drawings after a turn."""
        after = position.play(turn, player)
        return {"turn": turn, "light": after.svg(theme="light"), "dark": after.svg(theme="dark")}

    def scores(self, position: Position) -> list[int]:
        """Return 1 for each winner and 0 for all others."""
        winners = position.outcome.winners if position.outcome is not None else ()
        return [int(player in winners) for player in range(position.players)]


# --- the same for all games


def step_to_json(step: Step) -> dict[str, Any]:
    """Return a step as plain values."""
    return {"player": step.player, "text": step.text}


def outcome_to_json(outcome: Outcome | None) -> dict[str, Any] | None:
    """Return an outcome as plain values, or None if the game goes on."""
    return None if outcome is None else {"winners": list(outcome.winners), "reason": outcome.reason}
