"""Matches without spectators: no path shows them to clients without a seat."""

from __future__ import annotations

import random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from support.games.turns import random_turn
from support.server.clients import Client

PATHS = ["", "/record", "/replay", "/review"]


def a_private_match(ada: Client, ben: Client) -> str:
    match = ada.create("limit", "me", "open", options={"size": 4}, allow_spectators=False)["match_id"]
    ben.join(match)
    return str(match)


def refused_everywhere(spectator: Client, match: str) -> None:
    for path in PATHS:
        refused = spectator.call("GET", f"/matches/{match}{path}", status=403)
        assert (refused["code"], refused["error"]) == ("private", "this game is for its players alone")
    for path, body in {
        "/turns": {"idempotency_key": "k", "seat_index": 0, "turn_index": 0, "turn": "-"},
        "/preview": {"seat_index": 0, "turn": "-"},
        "/hint": {"seat_index": 0},
        "/seats/0/bot": {"bot": "random"},
        "/rematch": None,
    }.items():
        assert spectator.call("POST", f"/matches/{match}{path}", body, status=403)["code"] == "private"
    joining = spectator.call("POST", f"/matches/{match}/join", {"name": "Cleo"}, status=409)
    assert joining["error"] == "all seats are taken"
    live = spectator.live(match)
    assert live.receive()["code"] == "private"
    with pytest.raises(ConnectionClosed):
        live.receive()


def test_only_players_see_a_private_match(ada: Client, ben: Client, cleo: Client) -> None:
    match = a_private_match(ada, ben)
    refused_everywhere(cleo, match)
    tables = [ada.live(match), ben.live(match)]
    chance = random.Random(1)
    for table in tables:
        assert table.until("state")["state"]["allow_spectators"] is False
    while tables[0].state["phase"] != "over":
        seat = tables[0].state["to_move"][0]
        tables[seat].until_state(lambda state, seat=seat: state["to_move"] == [seat])
        assert tables[seat].play(seat, random_turn(tables[seat].state, seat, chance))["type"] == "played"
        steps = len(tables[seat].state["steps"])
        tables[1 - seat].until_state(lambda state, steps=steps: len(state["steps"]) == steps)
    refused_everywhere(cleo, match)
    again = ada.call("POST", f"/matches/{match}/rematch", match_id=match, status=201)["match_id"]
    refused_everywhere(cleo, again)
    for path in PATHS[:3]:
        ben.call("GET", f"/matches/{match}{path}", match_id=match)
    assert cleo.call("POST", "/me/matches", {"seat_tokens": ["x" * 30]}) == []


def test_a_private_match_is_visible_until_all_seats_are_taken(ada: Client, ben: Client, cleo: Client) -> None:
    match = ada.create("limes", "me", "open", allow_spectators=False)["match_id"]
    table, waiting, joining = ada.live(match), cleo.live(match), ben.live(match)
    for live in (table, waiting, joining):
        assert live.until("state")["state"]["phase"] == "waiting"
    ben.join(match)
    for live in (waiting, joining):
        with pytest.raises(ConnectionClosed) as closed:
            live.until("nothing that comes")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
    table.until_state(lambda state: state["phase"] == "playing")
    # The page reconnects: with a seat token it gets the state, without one it is refused.
    assert ben.live(match).receive()["type"] == "state"
    assert cleo.live(match).receive()["code"] == "private"
    seen: list[Any] = [text for text in cleo.received if '"draws":[' in text.replace(" ", "")]
    assert all('"draws":[]' in text.replace(" ", "") for text in seen)


def test_spectators_are_allowed_by_default(ada: Client, cleo: Client) -> None:
    state = ada.create("limes", "me")
    assert state["allow_spectators"] is True
    assert cleo.state(state["match_id"])["my_seats"] == []
