"""The presenter of a game that brings none: its drawing, and its turns as they are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import TypedDict

from limina.core.capabilities import Presenter
from limina.core.game import Game
from limina.core.position import Outcome, Position, Step


class PlainView(TypedDict):
    """What everybody may see: the position's own drawing."""

    light: str
    """An SVG document for a light page."""
    dark: str
    """The same for a dark one."""
    text: str
    """The same in letters, for whoever cannot see it."""


class PlainLegal(TypedDict):
    """Every legal turn."""

    turns: list[str]


class PlainPreview(TypedDict):
    """The drawing of the position after the turn."""

    turn: str
    light: str
    dark: str


def presenter_of(game: Game) -> Presenter:
    """How pages are told of a game: its own presenter, or the plain one."""
    return game.presenter or PlainPresenter()


class PlainPresenter:
    """Shows any game by what every position can do: draw itself and list its turns."""

    types: Mapping[str, Any] = {"view": PlainView, "legal": PlainLegal, "preview": PlainPreview}

    def view(self, position: Position, before: Position | None = None) -> PlainView:
        """The drawings."""
        return {"light": position.svg(theme="light"), "dark": position.svg(theme="dark"), "text": position.text()}

    def legal(self, position: Position, player: int) -> PlainLegal:
        """The turns in the notation."""
        return {"turns": [str(turn) for turn in position.legal_turns(player)]}

    def preview(self, position: Position, player: int, turn: str) -> PlainPreview:
        """The drawings after the turn."""
        after = position.play(turn, player)
        return {"turn": turn, "light": after.svg(theme="light"), "dark": after.svg(theme="dark")}

    def scores(self, position: Position) -> list[int]:
        """Who has won; nothing else is known of just any game."""
        winners = position.outcome.winners if position.outcome is not None else ()
        return [int(player in winners) for player in range(position.players)]


# --- of all games alike


def step_state(step: Step) -> dict[str, Any]:
    """A step as it is told."""
    return {"player": step.player, "text": step.text}


def outcome_state(outcome: Outcome | None) -> dict[str, Any] | None:
    """How a game ended, if it did."""
    return None if outcome is None else {"winners": list(outcome.winners), "reason": outcome.reason}
