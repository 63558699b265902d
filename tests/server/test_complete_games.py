"""Whole games as a page plays them, through HTTP and sockets, every message checked against the schema."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from limina.core import registry
from limina.core.presenter import presenter_of
from limina.core.record import Record
from support.games.turns import random_turn
from support.processes.cli_commands import limina
from support.server.clients import Client


def over(state: dict[str, Any]) -> bool:
    return bool(state["phase"] == "over")


def check_record(client: Client, match: str, tmp_path: Path) -> Record:
    data = client.call("GET", f"/matches/{match}/record", match_id=match)
    assert Record.from_json(data).position.outcome is not None
    file = tmp_path / "game.json"
    file.write_text(json.dumps(data))
    if "commitment" in data:
        done = limina("verify", str(file))
        assert done.returncode == 0, done.stderr
        assert "the draws match the commitment" in done.stdout
        data["order"][3], data["order"][4] = data["order"][4], data["order"][3]
        file.write_text(json.dumps(data))
        done = limina("verify", str(file))
        assert done.returncode == 1
        assert "do not match the commitment" in done.stderr
    return Record.from_json(data)


@pytest.mark.parametrize(
    ("game", "seats", "settings"),
    [
        ("limes", ["me"], {}),
        ("limes", ["me", "random"], {"options": {"diagonal": True}}),
        ("limes", ["me", "me", "me"], {"hidden_turns": True, "options": {"ferryman": True}}),
        ("limit", ["me", "random"], {"options": {"size": 5}, "shuffle_seats": True}),
        ("limit", ["me", "me", "random"], {"options": {"size": 4}}),
    ],
)
def test_a_whole_game(ada: Client, tmp_path: Path, game: str, seats: list[str], settings: dict[str, Any]) -> None:
    state = ada.create(game, *seats, **settings)
    table = ada.live(state["match_id"])
    table.play_until(over, random.Random(5))
    assert table.state["outcome"]["winners"]
    assert table.state["view"]["end"]["winners"] == table.state["outcome"]["winners"]
    assert (table.state["reveal"] is None) == (table.state["commitment"] is None)
    # The updates of the socket add up to the state that a new client gets.
    table.state["legal"] = {}
    assert ada.state(state["match_id"]) == table.state
    record = check_record(ada, state["match_id"], tmp_path)
    types = presenter_of(registry.game(game)).types
    replay = ada.call("GET", f"/matches/{state['match_id']}/replay", match_id=state["match_id"])
    assert len(replay["frames"]) == len(record.steps) + 1
    assert replay["commitment_honored"] is (True if table.state["commitment"] else None)
    for frame in replay["frames"]:
        TypeAdapter(types["view"]).validate_python(frame["view"])
    line = ada.call("POST", "/me/matches", {"seat_tokens": ada.seat_tokens[state["match_id"]]})[0]
    assert (line["match_id"], line["phase"], line["to_move"]) == (state["match_id"], "over", [])


def test_two_people_by_a_link_and_a_spectator(ada: Client, ben: Client, cleo: Client) -> None:
    match = ada.create("limes", "me", "open")["match_id"]
    first, watching = ada.live(match), cleo.live(match)
    assert first.until("state")["state"]["phase"] == "waiting"
    assert first.play(0, "d4r0")["code"] == "stale"
    joined = ben.join(match)
    assert joined["my_seats"] == [1]
    assert joined["phase"] == "playing"
    assert first.until_state(lambda s: s["phase"] == "playing")["seats"][1]["name"] == "Ben"
    second = ben.live(match)
    chance = random.Random(9)
    for number in range(1, 17):
        for table in (first, second):
            table.until_state(lambda state, number=number: len(state["view"]["draws"]) == number)
        for seat, table in enumerate((first, second)):
            assert table.play(seat, random_turn(table.state, seat, chance))["type"] == "played"
    for table in (first, second, watching):
        table.until_state(over)
    assert watching.state["my_seats"] == []
    assert watching.state["steps"] == first.state["steps"] == second.state["steps"]
    assert not any('"legal":{"0"' in heard or '"type":"legal"' in heard for heard in cleo.received)


def test_a_bot_takes_an_open_seat(ada: Client, cleo: Client) -> None:
    match = ada.create("limit", "me", "open", options={"size": 4})["match_id"]
    assert cleo.call("POST", f"/matches/{match}/seats/1/bot", {"bot": "random"}, match, 403)["code"] == "forbidden"
    state = ada.call("POST", f"/matches/{match}/seats/1/bot", {"bot": "random"}, match)
    assert state["seats"][1] == {"kind": "bot", "name": "random", "bot": "random", "turn_count": 0, "failed_bot": None}
    table = ada.live(match)
    table.play_until(over, random.Random(3))


def test_a_rematch_has_the_same_people_and_seat_tokens(ada: Client) -> None:
    match = ada.create("limit", "me", "me", options={"size": 4})["match_id"]
    assert ada.call("POST", f"/matches/{match}/rematch", None, match, 409)["code"] == "conflict"
    table = ada.live(match)
    table.play_until(over, random.Random(4))
    fresh = ada.call("POST", f"/matches/{match}/rematch", None, match, 201)
    assert fresh["my_seats"] == [0, 1]
    assert fresh["options"] == {"size": 4}
    assert ada.call("POST", f"/matches/{match}/rematch", None, match, 201)["match_id"] == fresh["match_id"]
    assert table.until("state")["state"]["rematch_id"] == fresh["match_id"]
    own_matches = [
        line["match_id"] for line in ada.call("POST", "/me/matches", {"seat_tokens": ada.seat_tokens[match]})
    ]
    assert sorted(own_matches) == sorted([match, fresh["match_id"]])


def test_a_preview_stores_nothing(ada: Client) -> None:
    state = ada.create("limes", "me", "me")
    match = state["match_id"]
    table = ada.live(match)
    table.until("state")
    table.send({"type": "preview", "request_id": "p", "seat_index": 0, "turn": "d4r1 +se"})
    shown = table.until("preview")
    assert shown["preview"]["total"] == state["legal"]["0"]["turns"]["d4r1"]["+se"]
    assert shown["preview"]["display"]["workers"][0]["zone"] == "d4.se"
    answer = ada.call("POST", f"/matches/{match}/preview", {"seat_index": 0, "turn": "d4r1 +se"}, match)
    assert answer["preview"] == shown["preview"]
    assert ada.state(match) == state
    assert (
        ada.call("POST", f"/matches/{match}/preview", {"seat_index": 0, "turn": "e4r1"}, match, 422)["code"]
        == "illegal"
    )


def test_a_preview_of_a_move_alone_shows_every_removal(ada: Client) -> None:
    state = ada.create("limit", "me", "me")
    moves = state["legal"]["0"]["moves"]
    source = next(iter(moves))
    target = next(iter(moves[source]))
    path, body = f"/matches/{state['match_id']}/preview", {"seat_index": 0, "turn": f"{source}-{target}"}
    half = ada.call("POST", path, body, state["match_id"])["preview"]
    assert not half["complete"]
    assert target in half["pawns"][0]
    assert source not in half["pawns"][0]
    removed, done = next(iter(half["removals"].items()))
    assert removed in done["sunk"]
    whole = ada.call("POST", path, {**body, "turn": f"{source}-{target} x{removed}"}, state["match_id"])["preview"]
    assert whole["complete"]
    assert whole["sunk"] == done["sunk"]
    assert whole["danger"] == done["danger"]
    types = presenter_of(registry.game("limit")).types["preview"]
    TypeAdapter(types).validate_python(half)


def test_a_record_of_another_program_is_replayed(ada: Client) -> None:
    record = {"format": "limina/1", "game": "limes", "players": ["Ada"], "draws": [17, 3], "turns": [["d4r0 +nw"]]}
    answer = ada.call("POST", "/position", {"record": record, "player": 0, "turn": "e4r1"})
    assert answer["view"]["displays"][0]["workers"][0]["zone"] == "d4.nw"
    assert "e4r1" in answer["legal"]["turns"]
    assert answer["preview"]["display"]["cards"] == 2
    assert [frame["progress"] for frame in ada.call("POST", "/replay", record)["frames"]] == [0, 0, 1, 1]
    record["turns"] = [["d5r0"]]
    assert "round 1, player 1: d5r0" in ada.call("POST", "/replay", record, status=422)["error"]
    record["players"] = ["x"] * 1000
    assert "players" in ada.call("POST", "/replay", record, status=400)["error"]
