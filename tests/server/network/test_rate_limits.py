"""Rate limits: enough for every player, and a refusal with a retry time beyond them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import fields
from pathlib import Path
from random import Random

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from limina.limes import Deck
from limina.server.app import App
from limina.server.errors import RefusedError
from limina.server.network.rate_limits import LOCALHOST, RateLimits, client_of
from limina.server.settings import ClientLimits, ServerSettings
from support import ROOT
from support.network import http
from support.server.clients import Client
from support.server.server_process import server_address
from support.waiting import wait_until

MATCH = {"game": "limes", "seats": [{"kind": "person", "name": "Ada"}]}
Watch = Callable[[str, str], ClientConnection]
TIGHT = ["matches_per_minute=3", "sockets=2", "sockets_per_match=3", "messages_per_second=2", "requests_per_minute=60"]


@pytest.fixture(scope="module")
def tight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    arguments = [word for limit in TIGHT for word in ("--max", limit)]
    with server_address(tmp_path_factory.mktemp("tight"), "--proxy", "127.0.0.1", *arguments) as address:
        yield address


def create_match(base: str, who: str) -> httpx.Response:
    return http.post(f"{base}/api/matches", json=MATCH, headers={"X-Forwarded-For": who})


@pytest.fixture
def watch(tight: str) -> Iterator[Watch]:
    with ExitStack() as opened:

        def look(match: str, who: str) -> ClientConnection:
            address = tight.replace("http", "ws") + f"/api/matches/{match}/live"
            socket = opened.enter_context(connect(address, additional_headers={"X-Forwarded-For": who}))
            with suppress(ConnectionClosed):  # refused before the hello
                socket.send('{"type":"hello"}')
            return socket

        yield look


def receive_message(socket: ClientConnection) -> dict[str, object]:
    message: dict[str, object] = json.loads(socket.recv(20))
    return message


def test_new_matches_of_an_address_are_limited(tight: str) -> None:
    assert [create_match(tight, "192.0.2.1").status_code for _ in range(3)] == [201] * 3
    refused = create_match(tight, "192.0.2.1")
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    assert 1 <= int(refused.headers["Retry-After"]) <= 20
    assert "please try again in" in refused.json()["error"]
    assert create_match(tight, "192.0.2.2").status_code == 201
    # An IPv6 client is a /64 network. Addresses further left in the header may be forged.
    assert [create_match(tight, f"2001:db8::{n}").status_code for n in range(4)] == [201] * 3 + [429]
    assert create_match(tight, "198.51.100.7, 192.0.2.1").status_code == 429


def test_sockets_of_an_address_and_of_a_match_are_limited(tight: str, watch: Watch) -> None:
    match = create_match(tight, "192.0.2.3").json()["state"]["match_id"]
    first, second = watch(match, "192.0.2.4"), watch(match, "192.0.2.4")
    assert {receive_message(first)["type"], receive_message(second)["type"]} == {"state"}
    third = watch(match, "192.0.2.4")
    message = receive_message(third)
    assert (message["type"], message["code"], message["request_id"]) == ("refused", "rate_limited", None)
    with pytest.raises(ConnectionClosed) as closed:
        third.recv(20)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1013
    other = watch(match, "192.0.2.5")
    assert receive_message(other)["type"] == "state"
    assert receive_message(watch(match, "192.0.2.6"))["error"] == (
        "too many people are watching this game: please try again in 10 seconds"
    )
    first.close()
    # When the server notices that the first socket is closed, a new one is accepted.
    wait_until(lambda: receive_message(watch(match, "192.0.2.4"))["type"] == "state")
    for socket in (second, other):
        socket.close()


def test_a_flood_of_messages_is_refused_and_then_disconnected(tight: str, watch: Watch) -> None:
    match = create_match(tight, "192.0.2.7").json()["state"]["match_id"]
    socket = watch(match, "192.0.2.7")
    assert receive_message(socket)["type"] == "state"
    for number in range(20):
        socket.send(json.dumps({"type": "legal", "request_id": f"k{number}", "seat_index": 0}))
    messages = [receive_message(socket) for _ in range(20)]
    assert [(message["request_id"], message["code"]) for message in messages[-5:]] == [
        (f"k{n}", "rate_limited") for n in range(15, 20)
    ]
    with pytest.raises(ConnectionClosed) as closed:
        flood(socket)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008


def flood(socket: ClientConnection) -> None:
    for _ in range(300):
        socket.send('{"type":"ping"}')
        receive_message(socket)


def test_a_flood_of_requests_is_refused(tight: str) -> None:
    with httpx.Client(base_url=tight, timeout=60, headers={"X-Forwarded-For": "192.0.2.8"}) as client:
        seen = [client.get("/api/health") for _ in range(80)]
        assert {answer.status_code for answer in seen} == {200, 429}
        refused = next(answer for answer in seen if answer.status_code == 429)
        assert int(refused.headers["Retry-After"]) >= 1
        assert refused.headers["x-content-type-options"] == "nosniff"
        assert client.get("/").status_code != 429  # requests for the page have a limit of their own


def test_forwarded_headers_of_unknown_proxies_are_ignored(tmp_path: Path) -> None:
    with server_address(tmp_path, "--max", "matches_per_minute=1", "--max", "localhost_multiplier=2") as address:
        answers = [create_match(address, f"192.0.2.{n}") for n in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]


def test_local_clients_have_larger_limits(tmp_path: Path) -> None:
    with server_address(tmp_path) as address, closing(Client(address)) as client:
        for _ in range(200):
            client.create("limes", "me")


def test_analyses_of_a_client_are_limited() -> None:
    limits = RateLimits(ClientLimits(analyses=1, localhost_multiplier=2))
    with limits.hold("analysis", "a"):
        with pytest.raises(RefusedError, match="still being analyzed"), limits.hold("analysis", "a"):
            pass
        with limits.hold("analysis", "b"), limits.hold("analysis", LOCALHOST), limits.hold("analysis", LOCALHOST):
            pass
    with limits.hold("analysis", "a"):
        pass
    assert not limits._counts


class SlowReviews:
    """Stand-in for `Reviews` that sends one line and ends when `end` is set."""

    def __init__(self) -> None:
        self.sent, self.end = asyncio.Event(), asyncio.Event()

    async def check(self, key: str, game: object) -> None:
        pass

    async def stream(self, key: str, game: object) -> AsyncIterator[bytes]:
        self.sent.set()
        yield b"{}\n"
        await self.end.wait()


@pytest.mark.parametrize("leaves", [False, True])
def test_a_stream_counts_as_an_analysis_until_its_end(leaves: bool, tmp_path: Path) -> None:
    deck = {"game": "limes", "faces": list(Deck.random(Random(7), "mine").faces)}

    async def scenario() -> list[int]:
        app = App(ServerSettings(data=tmp_path, client_limits=ClientLimits(analyses=1, localhost_multiplier=1))).http
        reviews = app.state.services.reviews = SlowReviews()
        transport = httpx.ASGITransport(app)
        async with asyncio.timeout(20), httpx.AsyncClient(transport=transport, base_url="http://limina") as client:
            first = asyncio.create_task(client.post("/api/decks/trial", json=deck))
            await reviews.sent.wait()
            refused = await client.post("/api/decks/trial", json=deck)
            assert refused.json()["code"] == "rate_limited"
            if leaves:
                first.cancel()
                await asyncio.wait([first])
            reviews.end.set()
            served = [] if leaves else [await first]
            last = await client.post("/api/decks/trial", json=deck)
        return [answer.status_code for answer in (refused, *served, last)]

    assert asyncio.run(scenario()) == ([429, 200] if leaves else [429, 200, 200])


@pytest.mark.parametrize(
    ("host", "client"),
    [
        ("127.0.0.1", LOCALHOST),
        ("::1", LOCALHOST),
        ("::ffff:127.0.0.1", LOCALHOST),
        ("192.0.2.9", "192.0.2.9"),
        ("::ffff:192.0.2.9", "192.0.2.9"),
        ("2001:db8::1:2:3:4", "2001:db8::/64"),
        ("not an address", "not an address"),
    ],
)
def test_addresses_of_one_client(host: str, client: str) -> None:
    assert client_of({"client": (host, 1)}) == client


def test_all_client_limits_are_documented() -> None:
    text = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    for field in fields(ClientLimits):
        assert f"| `{field.name}` | {field.default:,} |" in text


def test_the_number_of_token_buckets_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limina.server.network.rate_limits._MAX_BUCKETS", 10)
    limits = RateLimits()
    for number in range(100):
        limits.take(f"client {number}", "request")
    assert len(limits._buckets) == 10
