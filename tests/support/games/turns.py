"""Turns that can be played."""

from __future__ import annotations

from random import Random
from typing import Any

from limina.core import registry
from limina.core.position import Step


def legal_turns(state: dict[str, Any], seat: int) -> list[str]:
    """All turns of a seat in a match on a server, found by replaying what the server told."""
    game = registry.game(state["game"])
    deck = {"deck": state["view"]["deck"]} if "deck" in state["view"] else {}
    position = game.start(len(state["seats"]), **state["options"], **deck)
    for step in state["steps"]:
        position = position.apply(Step(step["player"], step["text"]))
    return [str(turn) for turn in position.legal_turns(seat)]


def random_turn(state: dict[str, Any], seat: int, rng: Random) -> str:
    """One of them."""
    return rng.choice(legal_turns(state, seat))
