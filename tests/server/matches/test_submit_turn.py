"""A turn is played once, by its seat and at its index; every other request changes nothing."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from support.games.turns import random_turn
from support.server.clients import Client


def post_turn(client: Client, match: str, keys: str | None = None, **turn: Any) -> httpx.Response:
    keys = ",".join(client.seat_tokens[match]) if keys is None else keys
    body = {"idempotency_key": "k", "seat_index": 0, "turn_index": 0, "turn": "d4r0", **turn}
    return httpx.post(
        f"{client.base}/api/matches/{match}/turns", json=body, headers={"Limina-Seat-Tokens": keys}, timeout=30
    )


def test_a_retry_is_answered_and_not_played_again(ada: Client) -> None:
    match = ada.create("limes", "me")["match_id"]
    first = post_turn(ada, match, turn="d4r0 +nw")
    assert first.status_code == 200
    for _ in range(3):
        assert post_turn(ada, match, turn="d4r0   +nw").json() == first.json()
    assert ada.state(match)["seats"][0]["turn_count"] == 1
    assert post_turn(ada, match, turn="d4r1").json()["code"] == "conflict"
    assert post_turn(ada, match, idempotency_key="other", turn="d4r0 +nw").json()["code"] == "stale"


def test_the_same_turn_sent_at_once_is_played_once(ada: Client) -> None:
    match = ada.create("limes", "me")["match_id"]
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda _: post_turn(ada, match), range(24)))
    assert {answer.text for answer in answers} == {answers[0].text}
    assert answers[0].status_code == 200
    state = ada.state(match)
    assert [step["player"] for step in state["steps"]] == [None, 0, None]


def test_of_different_turns_sent_at_once_one_is_played(ada: Client) -> None:
    state = ada.create("limit", "me", "me", options={"size": 4})
    chance = random.Random(2)
    turns = [random_turn(state, 0, chance) for _ in range(12)]
    with ThreadPoolExecutor(12) as pool:
        answers = list(
            pool.map(
                lambda n: post_turn(ada, state["match_id"], idempotency_key=f"k{n}", turn=turns[n]), range(len(turns))
            )
        )
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 11
    after = ada.state(state["match_id"])
    played = next(answer.json()["turn"] for answer in answers if answer.status_code == 200)
    assert [step["text"] for step in after["steps"] if step["player"] is not None] == [played]


@pytest.mark.parametrize(
    ("turn", "status", "code"),
    [
        ({"turn": "e4r0"}, 422, "illegal"),
        ({"turn": "d4r0 +xx"}, 400, "invalid"),
        ({"turn": "\u0000" * 50}, 400, "invalid"),
        ({"turn": "x" * 5000}, 422, "invalid"),
        ({"turn": 7}, 422, "invalid"),
        ({"turn_index": 1}, 409, "stale"),
        ({"turn_index": -1}, 422, "invalid"),
        ({"turn_index": 10**30}, 422, "invalid"),
        ({"seat_index": 1}, 403, "forbidden"),
        ({"seat_index": 7}, 404, "not_found"),
        ({"seat_index": "0x"}, 422, "invalid"),
        ({"idempotency_key": ""}, 422, "invalid"),
        ({"keys": "A" * 32}, 403, "forbidden"),
        ({"keys": ""}, 403, "forbidden"),
        ({"more": True}, 422, "invalid"),
    ],
)
def test_an_invalid_turn_changes_nothing(ada: Client, turn: dict[str, Any], status: int, code: str) -> None:
    match = ada.create("limes", "me", "open")["match_id"]
    ada.call("POST", f"/matches/{match}/seats/1/bot", {"bot": "random"}, match)
    table = ada.live(match)
    table.until_state(lambda s: s["to_move"] == [0])
    before = ada.state(match)
    answer = post_turn(ada, match, **turn)
    assert answer.status_code == status, answer.text
    assert answer.json()["code"] == code
    assert len(answer.json()["error"]) > 10
    assert ada.state(match) == before


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"game":"chess","seats":[{"kind":"person"}]}',
        b'{"game":"limes","seats":[]}',
        b'{"game":"limes","seats":[{"kind":"person"},{"kind":"bot","bot":"genius"}]}',
        b'{"game":"limes","seats":[{"kind":"person","name":"' + b"x" * 100 + b'"}]}',
        b'{"game":"limes","seats":[{"kind":"person","name":"\\u202e\\ud800"}]}',
        b'{"game":"limes","seats":[' + b",".join([b'{"kind":"open"}'] * 9) + b"]}",
        b'{"game":"limes","seats":[{"kind":"bot","bot":"random"}]}',
        b'{"game":"limes","seats":[{"kind":"person"}],"options":{"diagonal":"yes"}}',
        b'{"game":"limes","seats":[{"kind":"person"}],"options":{"deck":["F F F F"]}}',
        b'{"game":"limes","seats":[{"kind":"person"}],"options":{"players":3}}',
        b'{"game":"limit","seats":[{"kind":"person"}]}',
        b'{"game":"limit","hidden_turns":true,"seats":[{"kind":"person"},{"kind":"person"}]}',
        b'{"game":"limit","seats":[{"kind":"person"},{"kind":"person"}],"options":{"size":99}}',
        b'{"game":"limit","seats":[{"kind":"person"},{"kind":"person"}],"options":{"chance":1}}',
        b"[" * 5000,
        b'{"game":' + b"9" * 5000 + b"}",
        b"\xff\xfe",
        b'"' + b"x" * 100_000 + b'"',
    ],
)
def test_an_invalid_match_is_refused(ada: Client, body: bytes) -> None:
    answer = ada.http.post("/api/matches", content=body, headers={"Content-Type": "application/json"})
    assert 400 <= answer.status_code < 500
    assert set(answer.json()) == {"error", "code"}


def test_unknown_matches_and_seats_are_not_found(ada: Client) -> None:
    for path in ("/matches/nothing-here", "/matches/nothing-here/record", "/nowhere", "/matches/x"):
        answer = ada.http.get(f"/api{path}")
        assert answer.status_code in (404, 422)
        assert answer.json()["error"]
    assert ada.http.delete("/api/matches").status_code == 405


def test_a_seat_is_taken_once_and_a_retry_keeps_it(ada: Client) -> None:
    match = ada.create("limes", "me", "open", "open")["match_id"]
    key = "k" * 30

    def join(name: str, key: str | None = None, seat: int | None = None) -> httpx.Response:
        body = {"name": name, "seat_token": key, "seat_index": seat}
        return httpx.post(f"{ada.base}/api/matches/{match}/join", json=body, timeout=30)

    assert join("Ben", key, 2).json()["seat_tokens"] == [{"seat_index": 2, "seat_token": key}]
    assert join("Ben", key).json()["seat_tokens"] == [{"seat_index": 2, "seat_token": key}]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: join(f"Player {n}"), range(8)))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
    assert ada.state(match)["phase"] == "playing"
