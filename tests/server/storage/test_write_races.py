"""Races between real server processes on one PostgreSQL: one winner each, and a sound log."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from typing import Any

import httpx
import pytest

from limina.server.matches.checking import check
from limina.server.settings import ServerSettings
from limina.server.storage import url_of
from support.database.stores import drop_tables
from support.games.turns import random_turn
from support.server.clients import Client
from support.server.server_process import running_server
from support.waiting import wait_until

TIMES = 8


@pytest.fixture(scope="module")
def pair(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Client]]:
    """Two clients, each of another server. At the end, the stored matches are checked."""
    settings = ServerSettings(database=postgres)
    arguments = ("--database", postgres, "--shared")
    try:
        with ExitStack() as opened:
            servers = [
                opened.enter_context(running_server(tmp_path_factory.mktemp("none"), *arguments)) for _ in range(2)
            ]
            yield [opened.enter_context(closing(Client(server.address))) for server in servers]
        damaged: list[str] = []
        asyncio.run(check(settings, damaged.append, lambda done, of: None))
        assert not damaged
    finally:
        asyncio.run(drop_tables(url_of(settings)))


def together(*acts: Callable[[], httpx.Response]) -> list[httpx.Response]:
    """Send requests at the same moment, as far as possible."""
    gate = threading.Barrier(len(acts))

    def act(one: Callable[[], httpx.Response]) -> httpx.Response:
        gate.wait(60)
        return one()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(act, acts))


def test_of_two_who_take_a_seat_at_two_processes_one_gets_it(pair: list[Client]) -> None:
    for _ in range(TIMES):
        match = pair[0].create("limit", "me", "open", options={"size": 4})["match_id"]
        path = f"/matches/{match}/join"
        answers = together(
            partial(pair[0].request, "POST", path, {"name": "Ben", "seat_index": 1}),
            partial(pair[1].request, "POST", path, {"name": "Cleo", "seat_index": 1}),
        )
        assert sorted(answer.status_code for answer in answers) == [201, 409]
        (won,) = (answer.json() for answer in answers if answer.status_code == 201)
        for client in pair:
            client.seat_tokens[match] = [won["seat_tokens"][0]["seat_token"]]
            state = client.state(match)
            assert (state["my_seats"], state["seats"][1]["name"]) == ([1], won["state"]["seats"][1]["name"])


def test_of_two_turns_and_two_rematches_at_two_processes_one_counts(pair: list[Client]) -> None:
    chance = random.Random(1)
    state = pair[0].create("limit", "me", "me", options={"size": 4})
    match = state["match_id"]
    pair[1].seat_tokens[match] = keys = pair[0].seat_tokens[match]

    def turn(client: Client, key: str, seat_index: int, turn_index: int, text: str) -> Callable[[], httpx.Response]:
        body = {"idempotency_key": key, "seat_index": seat_index, "turn_index": turn_index, "turn": text}
        return partial(client.request, "POST", f"/matches/{match}/turns", body, keys)

    played = 0
    while state["phase"] != "over":
        (seat_index,) = state["to_move"]
        turn_index = state["seats"][seat_index]["turn_count"]
        texts = [random_turn(state, seat_index, chance) for _ in pair]
        if played % 2:  # each their own turn: one of them is too late
            answers = together(
                *(turn(client, f"{n}-{played}", seat_index, turn_index, texts[n]) for n, client in enumerate(pair))
            )
            assert sorted(answer.status_code for answer in answers) == [200, 409], [a.text for a in answers]
        else:  # a turn and its retry: it is played once
            answers = together(*(turn(client, f"k-{played}", seat_index, turn_index, texts[0]) for client in pair))
            assert [answer.status_code for answer in answers] == [200, 200]
            assert answers[0].json() == answers[1].json()
        played += 1
        first, second = (client.state(match) for client in pair)
        assert first == second
        state = first
        assert sum(seat["turn_count"] for seat in state["seats"]) == played
    path = f"/matches/{match}/rematch"
    rematches = together(*(partial(client.request, "POST", path, None, keys) for client in pair))
    assert [answer.status_code for answer in rematches] == [201, 201]
    assert len({answer.json()["match_id"] for answer in rematches}) == 1


def test_of_a_bot_and_a_person_at_two_processes_one_gets_the_seat(pair: list[Client]) -> None:
    for _ in range(TIMES):
        match = pair[0].create("limit", "me", "open", options={"size": 4})["match_id"]
        keys = pair[0].seat_tokens[match]
        answers = together(
            partial(pair[0].request, "POST", f"/matches/{match}/seats/1/bot", {"bot": "random"}, keys),
            partial(pair[1].request, "POST", f"/matches/{match}/join", {"name": "Ben", "seat_index": 1}),
        )
        filled, joined = (answer.status_code for answer in answers)
        assert (filled, joined) in ((200, 409), (409, 201))
        kinds = {client.call("GET", f"/matches/{match}")["seats"][1]["kind"] for client in pair}
        assert kinds == {"bot" if filled == 200 else "person"}


def test_of_a_turn_and_a_take_back_at_two_processes_the_first_counts(pair: list[Client]) -> None:
    chance = random.Random(2)
    match = pair[0].create("limit", "me", "random", options={"size": 8})["match_id"]
    pair[1].seat_tokens[match] = keys = pair[0].seat_tokens[match]
    back, forward = f"/matches/{match}/take-back", f"/matches/{match}/turns"

    def ours() -> dict[str, Any]:
        """Return the state after the bot's answer."""

        def agreed() -> bool:
            states = [client.state(match) for client in pair]
            return states[0] == states[1] and (states[0]["to_move"] == [0] or states[0]["phase"] == "over")

        wait_until(agreed)
        state: dict[str, Any] = pair[0].state(match)
        return state

    outcomes = set()
    for number in range(TIMES):
        state = ours()
        turns = state["seats"][0]["turn_count"]
        body = {
            "idempotency_key": f"k{number}",
            "seat_index": 0,
            "turn_index": turns,
            "turn": random_turn(state, 0, chance),
        }
        last = {"seat_index": 0, "turn_index": turns - 1}
        answers = together(
            partial(pair[number % 2].request, "POST", forward, body, keys),
            *(partial(client.request, "POST", back, last, keys) for client in (pair if turns else ())),
        )
        played, *taken = (answer.status_code for answer in answers)
        expected = turns + (played == 200) - (200 in taken)
        assert {played, *taken} <= {200, 409}, [answer.text for answer in answers]
        assert ours()["seats"][0]["turn_count"] in (expected, turns - 1)
        outcomes.add((played, *sorted(taken)))
    assert len(outcomes) > 1
