"""Turns that can be played."""

from __future__ import annotations

from random import Random
from typing import Any

from limina import games
from limina.protocols import Step


def any_turn(state: dict[str, Any], seat: int, chance: Random) -> str:
    """A legal turn of a match on a server, found by replaying what the server told."""
    game = games.game(state["game"])
    view = state["view"]
    data: dict[str, Any] = {"options": state["options"]}
    data |= {"deck": view["deck"]} if "deck" in view else {"layout": view["layout"]}
    position, _ = game.unpack(data, len(state["seats"]))
    for step in state["steps"]:
        position = position.replay(Step(step["player"], step["text"]))
    return str(chance.choice(position.legal_turns(seat)))
