"""Malformed and unusual requests get a 4xx with a message, or an answer, and never a 5xx."""

from __future__ import annotations

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

import limina
from support.games.records import random_record
from support.server.clients import Client
from support.server.server_process import server_address

RECORD = random_record(limina.game("limes"), 3, players=1, steps=32).to_json()


@pytest.mark.parametrize("path", ["/" + "x" * 300, "/a" * 3000, "/%00", "/%ff%fe", "/..%2f..%2fetc%2fpasswd"])
def test_unusual_addresses_serve_the_page_or_nothing(ada: Client, path: str) -> None:
    assert "passwd" not in ada.http.get(path).text
    assert ada.http.get(path).status_code in (200, 404, 503), "the page, which finds out what is meant, or nothing"


@pytest.mark.parametrize(
    "odd",
    [
        {"players": ["\ud800"]},
        {"players": ["\x00\x1b\u202e"]},
        {"\ud800": 1},
        {"order": [10**30] * 24, "salt": "ab", "commitment": "x"},
        {"x": 10**400},
    ],
    ids=["half a character", "controls", "half a key", "huge cards", "a huge number"],
)
def test_records_with_unusual_values_are_replayed_unchanged(ada: Client, odd: dict[str, Any]) -> None:
    body = json.dumps(RECORD | odd)
    headers = {"Content-Type": "application/json"}
    shown = ada.http.post("/api/replay", content=body, headers=headers)
    assert shown.status_code == 200
    assert len(shown.json()["frames"]) == 33
    viewed = ada.http.post("/api/position", content=f'{{"record": {body}}}', headers=headers)
    assert viewed.status_code == 200
    assert viewed.json()["names"] == (RECORD | odd)["players"]


@pytest.mark.parametrize("path", ["/api/replay", "/api/review"])
@pytest.mark.parametrize("number", ["NaN", "Infinity"])
def test_nan_and_infinity_are_not_json(ada: Client, path: str, number: str) -> None:
    body = json.dumps(RECORD | {"x": 0}).replace('"x": 0', f'"x": {number}')
    refused = ada.http.post(path, content=body, headers={"Content-Type": "application/json"})
    assert refused.status_code == 400
    assert refused.json()["error"].startswith("this is not JSON")


@pytest.mark.parametrize(("body", "words"), [("{", "this is not JSON"), ("[]", "this must be a JSON object")])
def test_a_body_that_is_no_object_is_refused_with_a_message(ada: Client, body: str, words: str) -> None:
    refused = ada.http.post("/api/matches", content=body, headers={"Content-Type": "application/json"})
    assert (refused.status_code, refused.json()["error"]) == (422, words)


def test_clients_that_join_concurrently_get_different_seats(ada: Client) -> None:
    match = ada.create("limes", "me", *["open"] * 6)["match_id"]
    with ThreadPoolExecutor(6) as pool:
        responses = list(pool.map(lambda n: _join(ada, match, name=f"P{n}"), range(6)))
    assert {response.status_code for response in responses} == {201}
    assert sorted(response.json()["seat_tokens"][0]["seat_index"] for response in responses) == [1, 2, 3, 4, 5, 6]
    assert ada.state(match)["phase"] == "playing"


def test_concurrent_joins_with_one_seat_token_take_one_seat(ada: Client) -> None:
    match = ada.create("limes", "me", *["open"] * 3)["match_id"]
    with ThreadPoolExecutor(6) as pool:
        responses = list(pool.map(lambda n: _join(ada, match, name="Ben", seat_token="k" * 30), range(6)))
    assert {response.status_code for response in responses} == {201}
    assert {response.json()["seat_tokens"][0]["seat_index"] for response in responses} == {1}
    assert [seat["kind"] for seat in ada.state(match)["seats"]] == ["person", "person", "open", "open"]


def _join(client: Client, match: str, **body: Any) -> httpx.Response:
    return httpx.post(f"{client.base}/api/matches/{match}/join", json=body, timeout=60)


def test_a_damaged_match_is_reported_and_hides_no_other_match(tmp_path: Path) -> None:
    with server_address(tmp_path) as address, closing(Client(address)) as eve:
        damaged, sound = (eve.create("limes", "me")["match_id"] for _ in range(2))
        seat_tokens = [*eve.seat_tokens[damaged], *eve.seat_tokens[sound]]
    with closing(sqlite3.connect(tmp_path / "limina.sqlite")) as connection, connection:
        connection.execute("UPDATE events SET payload = 'z9r9' WHERE match_id = ?", [damaged])
    with server_address(tmp_path) as address, closing(Client(address)) as eve:
        refused = eve.call("GET", f"/matches/{damaged}", status=503)
        assert refused == {"error": "this game is damaged and cannot be read", "code": "unavailable"}
        assert [match["match_id"] for match in eve.call("POST", "/me/matches", {"seat_tokens": seat_tokens})] == [sound]


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/api/replay", "{", "this is not JSON"),
        ("/api/replay", "[]", "must be an object, not a list"),
        ("/api/review", "[" * 100_000, "nested too deeply"),
        ("/api/position", "{}", "record must be an object, not null"),
        ("/api/position", '{"record": 1}', "record"),
        ("/api/position", '{"record": {}, "player": 9}', "player"),
        ("/api/position", '{"record": {}, "more": 9}', "more"),
        ("/api/position", '{"record": {}, "compare_turns": 9}', "compare_turns"),
        ("/api/position", '{"record": {}, "compare_turns": [9]}', "turn"),
        ("/api/position", f'{{"record": {{}}, "compare_turns": {["-"] * 11}}}'.replace("'", '"'), "compare_turns"),
    ],
)
def test_an_invalid_record_is_refused_with_a_message(ada: Client, path: str, body: str, words: str) -> None:
    refused = ada.http.post(path, content=body, headers={"Content-Type": "application/json"})
    assert refused.status_code == 400
    assert words in refused.json()["error"]
