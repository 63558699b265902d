"""Kill the server a hundred times with `kill -9` during play: every acknowledged turn survives."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from httpx import HTTPError
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from support.games.turns import random_turn
from support.server.clients import send_request
from support.server.server_process import Server, running_server

KILLS = 100
TABLES = 6


@dataclass
class ClientMatch:
    """The turns of a match that a client knows to be acknowledged, across all crashes."""

    match: str
    keys: list[str]
    acknowledged: list[tuple[int, str]] = field(default_factory=list)
    open: dict[str, Any] | None = None
    """A turn that was sent and not acknowledged."""
    over: bool = False


@dataclass
class Tally:
    turns: int = 0
    retried: int = 0
    already_there: int = 0
    target_turns: int = 0
    """Number of turns at which `reached` is set, for the next kill."""
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    def another(self) -> None:
        self.turns += 1
        if self.turns >= self.target_turns:
            self.reached.set()


async def create_match(base: str) -> ClientMatch:
    body = {"game": "limit", "seats": [{"kind": "person"}, {"kind": "person"}], "options": {"size": 8}}

    created = await asyncio.to_thread(send_request, base, "/matches", body)
    return ClientMatch(created["state"]["match_id"], [held["seat_token"] for held in created["seat_tokens"]])


async def play(base: str, matches: list[ClientMatch], place: int, chance: random.Random, tally: Tally) -> None:
    """Play from the current position of the match until the server is killed."""
    try:
        while True:
            if place >= len(matches):
                matches.append(await create_match(base))
                place = len(matches) - 1
            table = matches[place]
            address = base.replace("http", "ws") + f"/api/matches/{table.match}/live"
            async with connect(address, max_size=None, compression=None) as socket:
                await at_table(socket, table, chance, tally)
            place = len(matches)
    except (ConnectionClosed, InvalidHandshake, HTTPError, OSError, EOFError, TimeoutError):
        return


async def at_table(socket: Any, table: ClientMatch, chance: random.Random, tally: Tally) -> None:
    await socket.send(json.dumps({"type": "hello", "seat_tokens": table.keys, "legal": False}))
    state = json.loads(await socket.recv())["state"]
    compare(table, state, tally)
    while state["phase"] != "over":
        if table.open is None:
            seat = state["to_move"][0]
            number = state["seats"][seat]["turn_count"]
            chosen = random_turn(state, seat, chance)
            table.open = {
                "type": "turn",
                "idempotency_key": f"{seat}-{number}",
                "seat_index": seat,
                "turn_index": number,
                "turn": chosen,
            }
        else:
            tally.retried += 1
        await socket.send(json.dumps(table.open))
        while True:
            message = json.loads(await socket.recv())
            if message["type"] == "update":
                state["steps"] = state["steps"][: message["unchanged_steps"]] + message["steps"]
                state |= {key: message[key] for key in ("phase", "to_move")}
                for seat, turns in zip(state["seats"], message["turn_counts"], strict=True):
                    seat["turn_count"] = turns
            elif message["type"] == "played":
                break
            else:
                raise AssertionError(message)
        turn = (table.open["seat_index"], table.open["turn"])
        if turn not in table.acknowledged[-1:]:
            table.acknowledged.append(turn)
        table.open = None
        tally.another()
        assert turns_in(state) == table.acknowledged
    table.over = True


def turns_in(state: dict[str, Any]) -> list[tuple[int, str]]:
    """Return all turns of a match, without the layout before them."""
    laid, *turns = state["steps"]
    assert laid["player"] is None
    return [(step["player"], step["text"]) for step in turns]


def compare(table: ClientMatch, state: dict[str, Any], tally: Tally) -> None:
    """Check that all acknowledged turns are there, and beyond them at most the turn that was in flight."""
    there = turns_in(state)
    count = len(table.acknowledged)
    assert there[:count] == table.acknowledged, f"lost: {table.acknowledged[len(there) :]}"
    if len(there) > count:
        assert table.open is not None
        assert there[count:] == [(table.open["seat_index"], table.open["turn"])]
        table.acknowledged.append(there[-1])
        tally.already_there += 1


def test_every_acknowledged_turn_survives_a_hundred_kills(tmp_path: Path) -> None:
    chance = random.Random(100)
    matches: list[ClientMatch] = []
    tally = Tally()

    async def live_and_die(server: Server) -> None:
        going_on = [n for n, table in enumerate(matches) if not table.over][:TABLES]
        places = going_on + [len(matches) + n for n in range(TABLES - len(going_on))]
        players = [asyncio.create_task(play(server.address, matches, place, chance, tally)) for place in places]
        # Kill the server after this many turns, at a random moment.
        tally.target_turns = tally.turns + chance.randrange(12)
        tally.reached = asyncio.Event()
        if tally.turns < tally.target_turns:
            waiting = asyncio.create_task(tally.reached.wait())
            # Players end only with the server or with a failure, which is then raised at once.
            await asyncio.wait([waiting, *players], return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
        await asyncio.sleep(chance.random() * 0.005)
        server.process.kill()
        await asyncio.gather(*players)

    for _ in range(KILLS):
        with running_server(tmp_path) as server:
            asyncio.run(live_and_die(server))
    # Start once more to check every match.
    with running_server(tmp_path) as server:
        for table in matches:
            compare(table, send_request(server.address, f"/matches/{table.match}"), tally)
    # The test proves something only if turns were played, and some were in flight when the server was killed.
    assert tally.turns > 2 * KILLS
    assert tally.retried > KILLS
    assert tally.already_there > 0
