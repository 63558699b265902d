"""Legal turns of matches on a server."""

from __future__ import annotations

from random import Random
from typing import Any

from limina.core import registry
from limina.core.position import Step


def legal_turns(state: dict[str, Any], seat: int) -> list[str]:
    """Return all legal turns of a seat, by replaying the steps in the state of the match."""
    game = registry.game(state["game"])
    deck = {"deck": state["view"]["deck"]} if "deck" in state["view"] else {}
    position = game.start(len(state["seats"]), **state["options"], **deck)
    for step in state["steps"]:
        position = position.apply(Step(step["player"], step["text"]))
    return [str(turn) for turn in position.legal_turns(seat)]


def random_turn(state: dict[str, Any], seat: int, rng: Random) -> str:
    """Return a random legal turn of a seat."""
    return rng.choice(legal_turns(state, seat))
