"""Matches on a server, begun and played for whoever looks at them in a browser."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import cache
from random import Random
from typing import Any

from support.games.turns import random_turn
from support.server.clients import Client, send_request


def new_match(address: str, game: str, seats: list[dict[str, Any]], **options: Any) -> tuple[str, dict[str, str]]:
    """A match and the keys of its seats, as the page keeps them."""
    created = send_request(address, "/matches", {"game": game, "seats": seats, "options": options})
    return created["state"]["match"], {str(held["seat"]): held["key"] for held in created["keys"]}


def play_until(address: str, match: str, keys: dict[str, str], done: Callable[[Any], bool]) -> Any:
    """Play any turns until the state is as wanted, or the game is over."""
    chance = Random(match)
    with closing(Client(address)) as client:
        client.keys[match] = list(keys.values())
        while True:
            state = client.state(match)
            if state["phase"] == "over" or done(state):
                return state
            seat = state["to_move"][0]
            client.play(state, seat, random_turn(state, seat, chance))


@cache
def finished_match(address: str, game: str = "limit") -> str:
    """A match of two people that was played to its end; the same for all, who only look at it."""
    people = [{"kind": "person", "name": name} for name in ("Ada", "Ben")]
    steps: list[Any] = []
    # Few games are over after two turns, and nobody who looks at one expects that.
    while len(steps) < 6:
        match, keys = new_match(address, game, people, **({"size": 4} if game == "limit" else {}))
        steps = play_until(address, match, keys, lambda state: False)["steps"]
    return match
