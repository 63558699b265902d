"""Matches on a server that browser tests open."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import cache
from random import Random
from typing import Any

from support.games.turns import random_turn
from support.server.clients import Client, send_request


def new_match(address: str, game: str, seats: list[dict[str, Any]], **options: Any) -> tuple[str, dict[str, str]]:
    """Create a match; return its id and the seat tokens by seat, as the page stores them."""
    created = send_request(address, "/matches", {"game": game, "seats": seats, "options": options})
    return created["state"]["match_id"], {
        str(held["seat_index"]): held["seat_token"] for held in created["seat_tokens"]
    }


def play_until(address: str, match_id: str, seat_tokens: dict[str, str], condition: Callable[[Any], bool]) -> Any:
    """Play random turns until the condition holds for the state or the game is over; return the state."""
    rng = Random(match_id)
    with closing(Client(address)) as client:
        client.seat_tokens[match_id] = list(seat_tokens.values())
        while True:
            state = client.state(match_id)
            if state["phase"] == "over" or condition(state):
                return state
            seat_index = state["to_move"][0]
            client.play(state, seat_index, random_turn(state, seat_index, rng))


@cache
def finished_match(address: str, game: str = "limit") -> str:
    """Return a finished match of two people. It is cached: tests must not change it."""
    people = [{"kind": "person", "name": name} for name in ("Ada", "Ben")]
    steps: list[Any] = []
    # A few random games end after two turns, which is too short for the tests.
    while len(steps) < 6:
        match_id, seat_tokens = new_match(address, game, people, **({"size": 4} if game == "limit" else {}))
        steps = play_until(address, match_id, seat_tokens, lambda state: False)["steps"]
    return match_id
