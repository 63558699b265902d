"""The server sends no hidden information: all bytes that clients received before the end are searched."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from limina.core.commitment import commitment_hash
from support.games.hidden_information import find_leaks, find_states
from support.games.turns import random_turn
from support.server.clients import Client, LiveSocket


def secrets_of(data: Path, match: str) -> tuple[str, list[str]]:
    """What only the server may know, read from its own file."""
    with sqlite3.connect(f"file:{data / 'limina.sqlite'}?mode=ro", uri=True) as connection:
        query = "SELECT secret_salt, secret_chance_outcomes FROM matches WHERE id = ?"
        salt, order = connection.execute(query, (match,)).fetchone()
    connection.close()
    return salt, order.split(",")


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for part in value.values():
            yield from texts_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts_in(part)
    elif isinstance(value, str):
        yield value


def nosy(client: Client, match: str, seats: int) -> None:
    """Ask for everything there is, rightly and wrongly."""
    client.state(match)
    client.call("GET", f"/matches/{match}/record", match_id=match)
    client.call("GET", f"/matches/{match}/replay", match_id=match)
    client.call("POST", "/me/matches", {"seat_tokens": client.seat_tokens.get(match, [])})
    for seat in range(seats):
        for turn in ("d4r0", "e4r1 +nw", "nonsense"):
            for path, body in (
                ("preview", {"seat_index": seat, "turn": turn}),
                ("turns", {"idempotency_key": "nosy", "seat_index": seat, "turn_index": 99, "turn": turn}),
            ):
                headers = {"Limina-Seat-Tokens": ",".join(client.seat_tokens.get(match, []))}
                answer = client.http.post(f"/api/matches/{match}/{path}", json=body, headers=headers)
                client.received.append(answer.text)


@pytest.mark.parametrize("hidden", [True, False])
def test_no_client_gets_hidden_information(data: Path, ada: Client, ben: Client, cleo: Client, hidden: bool) -> None:
    chance = random.Random(f"hidden {hidden}")
    match = ada.create("limes", "me", "open", "random", hidden_turns=hidden)["match_id"]
    ben.join(match)
    people = {"ada": (ada, 0), "ben": (ben, 1), "cleo": (cleo, None)}
    tables: dict[str, LiveSocket] = {name: client.live(match) for name, (client, _) in people.items()}
    for table in tables.values():
        table.until("state")
    salt, order = secrets_of(data, match)
    assert commitment_hash(salt, order) == ada.state(match)["commitment"]
    for number in range(16):
        turns: dict[int, str] = {}
        for name in ("ada", "ben"):
            seat = people[name][1]
            assert seat is not None
            table = tables[name]
            table.until_state(lambda s, number=number: len(s["view"]["draws"]) == number + 1)
            turns[seat] = random_turn(table.state, seat, chance)
            assert table.play(seat, turns[seat])["type"] == "played"
            if name == "ada":
                # Ada has moved and the round is open: all clients read all that they can.
                for client, _ in people.values():
                    nosy(client, match, 3)
                for client, mine in people.values():
                    check(client, mine, number, salt, order, hidden=hidden)
        if number < 15:
            for client, _ in people.values():
                for text in client.received:
                    known = max(number + 1, len(draws_in(text)))
                    assert known <= number + 2
                    assert not find_leaks(text, salt, order, known)
                client.received.clear()
    for table in tables.values():
        state = table.until_state(lambda s: s["phase"] == "over")
        assert state["reveal"] == {"salt": salt, "order": order}
    # The search finds the secrets when they are revealed.
    text = json.dumps(ada.state(match))
    assert find_leaks(text, salt, order, 1) != []


def check(client: Client, mine: int | None, rounds: int, salt: str, order: list[str], *, hidden: bool) -> None:
    """Check that a client got no card to come, and no hidden turn of others in the open round."""
    for text in client.received:
        assert not find_leaks(text, salt, order, rounds + 1), text
        if not hidden:
            continue
        for state in find_states(json.loads(text)):
            for seat, display in enumerate(state["view"]["displays"]):
                if seat != mine and display is not None:
                    assert display["cards"] <= rounds, (client, seat)
        value = json.loads(text)
        for steps in lists_of_steps(value):
            opened = [n for n, step in enumerate(steps) if step["player"] is None]
            if len(opened) == rounds + 1:
                assert {step["player"] for step in steps[opened[-1] + 1 :]} <= {mine}


def draws_in(text: str) -> list[int]:
    lists = re.findall(r'"draws":\[([\d,]*)\]', text)
    return max(([int(card) for card in draws.split(",") if card] for draws in lists), key=len, default=[])


def lists_of_steps(value: Any) -> Iterator[list[dict[str, Any]]]:
    if isinstance(value, dict):
        if value.get("steps"):
            yield value["steps"]
        if value.get("frames"):
            yield [frame["step"] for frame in value["frames"] if frame["step"]]
        for part in value.values():
            yield from lists_of_steps(part)
    elif isinstance(value, list):
        for part in value:
            yield from lists_of_steps(part)


def test_turns_of_an_open_round_are_sent_only_to_their_player(ada: Client, ben: Client, cleo: Client) -> None:
    match = ada.create("limes", "me", "open", hidden_turns=True)["match_id"]
    ben.join(match)
    first, second = ada.live(match), ben.live(match, legal=False)
    for table in (first, second):
        table.until_state(lambda s: s["phase"] == "playing")
    assert first.play(0, "d4r1 +se")["type"] == "played"
    second.until_state(lambda s: s["to_move"] == [1])
    for client in (ben, cleo):
        nosy(client, match, 2)
        assert not any("d4r1 +se" in text for text in client.received)
        record = client.call("GET", f"/matches/{match}/record", match_id=match)
        assert record["turns"] == [[None, None]]
        assert not {"salt", "order"} & set(record)
    assert ada.call("GET", f"/matches/{match}/record", match_id=match)["turns"] == [["d4r1 +se", None]]
    # Ben may preview turns of his own. A spectator sees no zone of any player.
    assert not any(text == "d4.se" for heard in cleo.received for text in texts_in(json.loads(heard)))
    # When the round is over, the turns are sent to all clients.
    assert second.play(1, "d4r0")["type"] == "played"
    assert {"player": 0, "text": "d4r1 +se"} in second.state["steps"]
    assert cleo.state(match)["view"]["displays"][0]["cards"] == 1
