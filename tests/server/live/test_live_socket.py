"""Live sockets: reconnections, legal turns, and refusals of invalid messages."""

from __future__ import annotations

import json
import random

import pytest
from websockets.exceptions import ConnectionClosed

from support.games.turns import random_turn
from support.server.clients import Client


def test_a_client_that_reconnects_gets_what_it_missed(ada: Client, ben: Client) -> None:
    match = ada.create("limit", "me", "open")["match_id"]
    ben.join(match)
    first, second = ada.live(match), ben.live(match)
    chance = random.Random(1)
    for table in (first, second):
        table.until_state(lambda s: s["phase"] == "playing")
    assert first.play(0, random_turn(first.state, 0, chance))["type"] == "played"
    second.until_state(lambda s: s["to_move"] == [1])
    known = first.state["version"]
    first.close()
    assert second.play(1, random_turn(second.state, 1, chance))["type"] == "played"
    back = ada.live(match, version=known)
    message = back.receive()
    assert message["type"] == "state"
    assert message["state"]["steps"] == second.state["steps"]
    again = ada.live(match, version=message["state"]["version"])
    assert again.receive() == {"type": "current", "version": message["state"]["version"]}


def test_a_turn_is_sent_again_over_a_new_connection(ada: Client) -> None:
    match = ada.create("limes", "me")["match_id"]
    table = ada.live(match)
    table.until("state")
    turn = {"type": "turn", "idempotency_key": "once", "seat_index": 0, "turn_index": 0, "turn": "d4r0"}
    table.send(turn)
    table.close()  # before any answer was read
    table = ada.live(match)
    table.send(turn)
    assert table.until("played")["turn_index"] == 0
    assert ada.state(match)["seats"][0]["turn_count"] == 1


def test_legal_turns_are_sent_to_seats_to_move_and_on_request(ada: Client) -> None:
    match = ada.create("limit", "me", "me", options={"size": 4})["match_id"]
    table, quiet = ada.live(match), ada.live(match, legal=False)
    assert list(table.until("state")["state"]["legal"]) == ["0"]
    assert quiet.until("state")["state"]["legal"] == {}
    assert table.play(0, random_turn(table.state, 0, random.Random(1)))["type"] == "played"
    assert table.state["legal"]["1"]["moves"]
    quiet.until("update")
    quiet.send({"type": "legal", "request_id": "l", "seat_index": 1})
    answer = quiet.receive()
    assert (answer["type"], answer["request_id"]) == ("legal", "l")
    assert answer["legal"] == table.state["legal"]["1"]
    quiet.send({"type": "legal", "request_id": "m", "seat_index": 0})
    assert quiet.receive()["code"] == "stale"
    quiet.send({"type": "ping"})
    assert quiet.receive() == {"type": "pong"}


def test_an_update_contains_only_the_legal_turns_that_changed(ada: Client, cleo: Client) -> None:
    match = ada.create("limes", "me", "me")["match_id"]
    table, watching = ada.live(match), cleo.live(match)
    first = table.until("state")["state"]["legal"]
    assert list(first) == ["0", "1"]
    # The round stays open, so the legal turns of the other seat do not change.
    table.send({"type": "turn", "idempotency_key": "a", "seat_index": 0, "turn_index": 0, "turn": "d4r0"})
    assert table.until("update")["legal"] == {}
    assert table.state["legal"] == {"1": first["1"]}
    # The update with the new card contains its legal turns.
    table.send({"type": "turn", "idempotency_key": "b", "seat_index": 1, "turn_index": 0, "turn": "d4r0 +nw"})
    assert list(table.until("update")["legal"]) == ["0", "1"]
    assert table.state["legal"] == ada.state(match)["legal"]
    assert [watching.until("update")["legal"] for _ in range(2)] == [{}, {}]
    assert not any('"type":"legal"' in heard for heard in ada.received)


def test_an_invalid_message_is_refused_and_the_socket_stays_open(ada: Client, cleo: Client) -> None:
    state = ada.create("limes", "me")
    table = ada.live(state["match_id"])
    table.until("state")
    for nonsense in ("", "{", "[]", '{"type":"x"}', '{"type":"turn"}', "\u0000", '{"type":"hello","seat_tokens":[1]}'):
        table.socket.send(nonsense)
        answer = table.receive()
        assert (answer["type"], answer["code"]) == ("refused", "invalid"), nonsense
        assert answer["error"]
    table.socket.send(b"\xff\xfe")
    assert table.receive()["type"] == "refused"
    watching = cleo.live(state["match_id"])
    watching.until("state")
    watching.send({"type": "turn", "idempotency_key": "k", "seat_index": 0, "turn_index": 0, "turn": "d4r0"})
    assert watching.receive()["code"] == "forbidden"
    assert ada.state(state["match_id"]) == state


def test_unknown_matches_and_large_messages_are_refused(ada: Client) -> None:
    table = ada.live("nothing-here")
    assert table.receive()["code"] == "not_found"
    match = ada.create("limes", "me")["match_id"]
    table = ada.live(match)
    table.until("state")
    table.socket.send(json.dumps({"type": "ping", "more": "x" * 100_000}))
    with pytest.raises(ConnectionClosed) as closed:
        table.until("nothing that comes")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009
