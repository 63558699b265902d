"""Limits of frames, bytes and connections for each client, under attack."""

from __future__ import annotations

import asyncio
import json
import select
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest

import limina
from limina.server.network.connections import Connections, TrustedProxies
from limina.server.network.middleware import SecurityMiddleware
from limina.server.network.rate_limits import RateLimits
from limina.server.network.socket_protocol import MAX_MESSAGE_BYTES
from limina.server.services import Services
from limina.server.settings import ClientLimits, ServerSettings
from support.games.records import random_record
from support.network import http
from support.network.raw_connection import CONTINUATION, PING, TEXT, RawConnection
from support.processes.cli_commands import LIMINA
from support.server.clients import Client
from support.server.server_process import running_server, server_address
from support.waiting import wait_until

HELLO = b'{"type":"hello"}'


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server that trusts the X-Forwarded-For of the test."""
    limits = (
        "messages_per_second=2",
        "socket_kilobytes_per_second=1",
        "sockets_per_match=3",
        "new_connections_per_minute=12",
        "page_requests_per_minute=6",
        "requests_per_minute=6",
    )
    words = [word for limit in limits for word in ("--max", limit)]
    with server_address(tmp_path_factory.mktemp("proxied"), "--proxy", "127.0.0.1", *words) as address:
        yield address


@pytest.fixture(scope="module")
def match(proxied: str) -> dict[str, Any]:
    body = {"game": "limes", "seats": [{"kind": "person", "name": "Ada"}]}
    created: dict[str, Any] = http.post(f"{proxied}/api/matches", json=body).json()
    return created


def path_of(match: dict[str, Any]) -> str:
    return f"/api/matches/{match['state']['match_id']}/live"


def greeted(connection: RawConnection, keys: list[str] = []) -> dict[str, Any]:  # noqa: B006  # never changed
    """Send a hello and return the answer."""
    connection.send(connection.frame(TEXT, json.dumps({"type": "hello", "seat_tokens": keys}).encode()))
    frame = connection.next_frame()
    assert frame is not None
    message: dict[str, Any] = json.loads(frame[1])
    return message


# --- frames


def test_pings_are_read_within_the_byte_budget_of_the_client(proxied: str, match: dict[str, Any]) -> None:
    """The limit holds for all sockets of the client, and other clients are answered meanwhile."""
    started_at, who = time.monotonic(), "192.0.2.10"
    with RawConnection(proxied, who) as first, RawConnection(proxied, who) as second:
        for attacker in (first, second):
            assert "101" in attacker.upgrade(path_of(match))
            attacker.socket.setblocking(False)
            with suppress(BlockingIOError):
                attacker.socket.send(attacker.frame(PING) * 20_000)
        with RawConnection(proxied, "192.0.2.11") as visitor:
            assert "101" in visitor.upgrade(path_of(match))
            assert greeted(visitor)["type"] == "state"
        read = 0
        for attacker in (first, second):
            with suppress(BlockingIOError):
                while pongs := attacker.socket.recv(65536):
                    read += len(pongs) * 3  # a pong has two bytes, and a ping six
    assert 0 < read <= 1024 * (10 + time.monotonic() - started_at)


def test_the_number_of_fragments_of_a_message_is_limited(proxied: str, match: dict[str, Any]) -> None:
    with RawConnection(proxied, "192.0.2.20") as attacker:
        attacker.upgrade(path_of(match))
        attacker.send(attacker.frame(TEXT, b"{", last=False))
        attacker.send(attacker.frame(CONTINUATION, last=False) * 100)
        assert attacker.close_code() == 1009


def test_a_fragmented_message_has_the_size_limit_of_one_frame(proxied: str, match: dict[str, Any]) -> None:
    hello = b'{"type":"hello","seat_tokens":[]}'
    with RawConnection(proxied, "192.0.2.26") as visitor:
        visitor.upgrade(path_of(match))
        parts = (TEXT, hello[:9]), (CONTINUATION, hello[9:12])
        for kind, part in parts:
            visitor.send(visitor.frame(kind, part, last=False))
        visitor.send(visitor.frame(CONTINUATION, hello[12:]))
        frame = visitor.next_frame()
        assert frame is not None
        assert json.loads(frame[1])["type"] == "state", "parts make a message"
        # Each fragment is short, but their number is limited.
        for number in range(10):
            visitor.send(visitor.frame(CONTINUATION if number else TEXT, b" " * (MAX_MESSAGE_BYTES // 8), last=False))
        assert visitor.close_code() == 1009
    with RawConnection(proxied, "192.0.2.27") as visitor:
        visitor.upgrade(path_of(match))
        visitor.send(visitor.frame(TEXT, hello[:9], last=False))
        visitor.send(visitor.frame(TEXT, hello))
        assert visitor.close_code() == 1002, "a whole message between the parts of another is none"


# --- messages by their cost


def test_the_cost_of_hellos_counts_across_reconnections(proxied: str, match: dict[str, Any]) -> None:
    messages = []
    for _ in range(7):
        with RawConnection(proxied, "192.0.2.23") as client:
            client.upgrade(path_of(match))
            messages.append(greeted(client))
    assert [message["type"] for message in messages[:5]] == ["state"] * 5
    assert messages[6]["code"] == "rate_limited", "the bucket holds five of them"
    with RawConnection(proxied, "192.0.2.24") as other:
        other.upgrade(path_of(match))
        assert greeted(other)["type"] == "state"


def test_opening_sockets_too_often_is_refused(proxied: str, match: dict[str, Any]) -> None:
    answers = []
    for _ in range(14):
        with RawConnection(proxied, "192.0.2.25") as client:
            answers.append(client.upgrade(path_of(match)).split()[1])
    assert answers[:12] == ["101"] * 12
    assert answers[13] == "429"


# --- every path and connection


@pytest.mark.parametrize(
    ("number", "path"),
    list(enumerate(("/", "/health/live", "/health/ready", "/no", "/no.js", "/api", "/api/no", "/api/health"))),
)
def test_requests_to_all_paths_are_counted(proxied: str, number: int, path: str) -> None:
    responses = [http.get(f"{proxied}{path}", headers={"X-Forwarded-For": f"192.0.2.{60 + number}"}) for _ in range(30)]
    assert responses[0].status_code != 429
    refused = [answer for answer in responses if answer.status_code == 429]
    assert refused, "one may come in ten seconds"
    assert {answer.headers["connection"] for answer in refused} == {"close"}
    assert all(answer.json()["code"] == "rate_limited" and answer.headers["retry-after"] for answer in refused)


def test_requests_for_another_host_and_from_other_pages_are_counted(tmp_path: Path) -> None:
    names = ("--proxy", "127.0.0.1", "--origin", "https://games.example.org", "--max", "requests_per_minute=6")
    with server_address(tmp_path, *names) as address:
        for who, headers in (("192.0.2.70", {"Host": "other.example"}), ("192.0.2.71", {"Origin": "https://other"})):
            responses = [
                http.post(
                    f"{address}/api/me/matches", json={"seat_tokens": []}, headers={"X-Forwarded-For": who, **headers}
                )
                for _ in range(30)
            ]
            assert responses[0].status_code == 403
            assert 429 in [answer.status_code for answer in responses]


def test_sockets_at_unknown_paths_are_counted(proxied: str) -> None:
    answers = []
    for _ in range(14):
        with RawConnection(proxied, "192.0.2.72") as client:
            answers.append(client.upgrade("/api/matches/elsewhere").split()[1])
    assert answers[:12] == ["403"] * 12
    assert answers[13] == "429"


# --- bodies


def arriving(address: str, who: str, count: int, size: int) -> list[RawConnection]:
    """Return connections with requests that lack the last byte of their body."""
    connections = []
    for _ in range(count):
        client = RawConnection(address, who)
        head = client.head("POST /api/replay HTTP/1.1", "Content-Type: application/json", f"Content-Length: {size}")
        client.send(head + b" " * (size - 1))
        connections.append(client)
    return connections


def test_endless_bodies_use_only_the_share_of_their_client(tmp_path: Path) -> None:
    size = 1024 * 1024
    with server_address(tmp_path, "--proxy", "127.0.0.1") as address, ExitStack() as opened:
        for number in range(2):
            attackers = arriving(address, f"192.0.2.{80 + number}", 32, size)
            for attacker in attackers:
                opened.enter_context(attacker)
            # The first four use up the client's share, and all later ones are refused, in whatever order they arrive.
            refused, _, _ = select.select([attacker.socket for attacker in attackers], [], [], 60)
            assert refused
            assert refused[0].recv(65536).startswith(b"HTTP/1.1 429 ")
        record = json.dumps(random_record(limina.game("limes"), 3, players=1, steps=32).to_json())
        for body in (record, record.ljust(size)):
            headers = {"X-Forwarded-For": "192.0.2.82", "Content-Type": "application/json"}
            assert http.post(f"{address}/api/replay", content=body, headers=headers).status_code == 200


def test_large_bodies_of_all_clients_have_a_common_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limina.server.network.middleware.MAX_UPLOAD_BYTES", 300_000)
    statuses: list[int] = []

    async def scenario() -> None:
        services = Services(ServerSettings())
        middleware = SecurityMiddleware(answered, services.limits, services.origins, services.metrics)
        slow = [asyncio.create_task(post(middleware, f"192.0.2.{n}", b" " * 140_000, ends=False)) for n in range(2)]
        await asyncio.sleep(0)
        for who, size in (("192.0.2.9", 140_000), ("192.0.2.9", 60_000)):
            statuses.append(await post(middleware, who, b" " * size))
        for request in slow:
            request.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        statuses.append(await post(middleware, "192.0.2.9", b" " * 140_000))

    asyncio.run(scenario())
    assert statuses == [503, 200, 200]


async def answered(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})


async def post(app: Any, who: str, body: bytes, *, ends: bool = True) -> int:
    """Return the status of a request when it is answered."""
    statuses: list[int] = []
    parts = [{"type": "http.request", "body": body, "more_body": not ends}]

    async def receive() -> Any:
        return parts.pop() if parts else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        statuses.append(message.get("status", 0))

    scope = {"type": "http", "method": "POST", "path": "/api/replay", "headers": [], "client": (who, 1), "state": {}}
    await app(scope, receive, send)
    return statuses[0]


# --- many sockets


def test_twenty_reconnecting_sockets_share_the_budget_of_one_client(proxied: str, match: dict[str, Any]) -> None:
    """Answers and new connections count for the client across its sockets and reconnections."""
    started_at, answered, refused, denied = time.monotonic(), 0, 0, 0
    for _ in range(2):
        with ExitStack() as opened:
            clients = [opened.enter_context(RawConnection(proxied, "192.0.2.28")) for _ in range(10)]
            for client in clients:
                if client.upgrade(path_of(match)).split()[1] == "101":
                    client.send(client.frame(TEXT, HELLO) * 5)
                    client.send(client.frame(8, (1000).to_bytes(2, "big")))
                else:
                    denied += 1
                    continue
                while (frame := client.next_frame()) is not None:
                    message = json.loads(frame[1]) if frame[0] == TEXT else {}
                    answered += message.get("type") in ("state", "current")
                    refused += message.get("code") == "rate_limited"
    # The buckets were full and have refilled a little: a hello costs 4 tokens, of which 2 a second are added.
    max_answered = 5 + 2 * (time.monotonic() - started_at) / 4
    assert 0 < answered <= max_answered
    assert refused > answered
    assert denied >= 20 - 12 - 12 * (time.monotonic() - started_at) / 60 - 1


# --- connections of players


def test_spectators_and_silent_sockets_do_not_keep_players_out(proxied: str) -> None:
    body = {"game": "limes", "seats": [{"kind": "person", "name": "Ada"}]}
    match = http.post(f"{proxied}/api/matches", json=body).json()
    with ExitStack() as opened:

        def look(number: int) -> RawConnection:
            client = opened.enter_context(RawConnection(proxied, f"198.51.100.{number}"))
            assert "101" in client.upgrade(path_of(match))
            return client

        for number in range(6):
            look(number)  # without a hello
        assert [greeted(look(number))["type"] for number in range(10, 13)] == ["state"] * 3
        assert greeted(look(13))["code"] == "rate_limited"
        assert greeted(look(14), [match["seat_tokens"][0]["seat_token"]])["type"] == "state"


def test_a_full_server_evicts_the_oldest_connection_without_a_seat(tmp_path: Path) -> None:
    program = ["sh", "-c", 'ulimit -n 260; exec "$@"', "sh", *LIMINA]
    with (
        running_server(tmp_path, program=program) as server,
        closing(Client(server.address)) as ada,
        ExitStack() as opened,
    ):
        match = ada.create("limes", "me")["match_id"]
        table = ada.live(match)
        table.until("state")
        for _ in range(300):  # more than the server has descriptors
            half = opened.enter_context(RawConnection(server.address))
            half.send(b"GET / HTTP/1.1\r\n")
        ben = opened.enter_context(closing(Client(server.address)))
        assert ben.http.get("/api/health").status_code == 200, "a new client is accepted"
        assert table.play(0, "d4r0")["type"] == "played"


def test_connections_behind_a_proxy_count_for_their_clients(tmp_path: Path) -> None:
    """All kinds of sockets and requests count together; counted separately a client could have three times as many."""
    with (
        server_address(tmp_path, "--proxy", "127.0.0.1", "--max", "connections=3") as address,
        ExitStack() as opened,
    ):
        match = http.post(f"{address}/api/matches", json={"game": "limes", "seats": [{"kind": "person"}]}).json()

        def look(who: str) -> tuple[str, RawConnection]:
            client = opened.enter_context(RawConnection(address, who))
            return client.upgrade(path_of(match)).split()[1], client

        clients = [look("192.0.2.40") for _ in range(3)]
        assert [status for status, _ in clients] == ["101"] * 3
        greeted(clients[0][1])
        greeted(clients[1][1], [match["seat_tokens"][0]["seat_token"]])
        assert look("192.0.2.40")[0] == "429"
        responses = [
            http.get(f"{address}{path}", headers={"X-Forwarded-For": "192.0.2.40"}) for path in ("/", "/api/games")
        ]
        assert [answer.status_code for answer in responses] == [429, 429]
        assert "you have too many open connections" in responses[0].json()["error"]
        assert look("192.0.2.41")[0] == "101"
        clients[2][1].close()
        wait_until(lambda: look("192.0.2.40")[0] == "101")


class _Transport:
    """The part of a transport that `Connections` uses."""

    aborted = False

    def abort(self) -> None:
        self.aborted = True


def test_connections_of_an_address_are_limited_unless_it_is_a_proxy() -> None:
    connections = Connections(RateLimits(ClientLimits(connections=2)), TrustedProxies("192.0.2.9"))
    transports: list[Any] = [_Transport() for _ in range(4)]
    assert [connections.admit(transport, "192.0.2.1") for transport in transports] == [True, True, False, False]
    connections.release(transports[0])
    assert connections.admit(transports[3], "192.0.2.1")
    of_proxy: list[Any] = [_Transport() for _ in range(4)]
    assert all(connections.admit(transport, "192.0.2.9") for transport in of_proxy)


def test_connections_with_a_seat_are_never_evicted() -> None:
    connections = Connections(RateLimits(), max_connections=2)
    transports: list[Any] = [_Transport() for _ in range(4)]
    player, watching, third, fourth = transports
    assert connections.admit(player, None)
    assert connections.admit(watching, None)
    connections.set_seated(player, True)
    assert connections.admit(third, None)
    assert (player.aborted, watching.aborted, len(connections)) == (False, True, 2)
    connections.set_seated(third, True)
    assert not connections.admit(fourth, None)
    connections.set_seated(third, False)
    assert connections.admit(fourth, None)
    assert third.aborted
