"""What an attacker can cost: every frame, byte and connection has an end, counted for the client."""

from __future__ import annotations

import asyncio
import json
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
    """A server that believes us who we are."""
    allow = (
        "messages_per_second=2",
        "socket_kilobytes_per_second=1",
        "sockets_per_match=3",
        "new_connections_per_minute=12",
        "page_requests_per_minute=6",
        "requests_per_minute=6",
    )
    words = [word for each in allow for word in ("--max", each)]
    with server_address(tmp_path_factory.mktemp("proxied"), "--proxy", "127.0.0.1", *words) as address:
        yield address


@pytest.fixture(scope="module")
def match(proxied: str) -> dict[str, Any]:
    asked = {"game": "limes", "seats": [{"kind": "person", "name": "Ada"}]}
    created: dict[str, Any] = http.post(f"{proxied}/api/matches", json=asked).json()
    return created


def path_of(match: dict[str, Any]) -> str:
    return f"/api/matches/{match['state']['match_id']}/live"


def greeted(connection: RawConnection, keys: list[str] = []) -> dict[str, Any]:  # noqa: B006  # never changed
    """What is said to a hello."""
    connection.send(connection.frame(TEXT, json.dumps({"type": "hello", "seat_tokens": keys}).encode()))
    found = connection.next_frame()
    assert found is not None
    said: dict[str, Any] = json.loads(found[1])
    return said


# --- frames


def test_a_flood_of_pings_is_read_no_faster_than_its_client_may_send(proxied: str, match: dict[str, Any]) -> None:
    """The limit is for all sockets of the client, and others are answered meanwhile."""
    begun, who = time.monotonic(), "192.0.2.10"
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
    assert 0 < read <= 1024 * (10 + time.monotonic() - begun)


def test_a_message_in_endless_empty_parts_is_ended(proxied: str, match: dict[str, Any]) -> None:
    with RawConnection(proxied, "192.0.2.20") as attacker:
        attacker.upgrade(path_of(match))
        attacker.send(attacker.frame(TEXT, b"{", last=False))
        attacker.send(attacker.frame(CONTINUATION, last=False) * 100)
        assert attacker.close_code() == 1009


def test_a_message_in_parts_is_bounded_as_a_whole(proxied: str, match: dict[str, Any]) -> None:
    hello = b'{"type":"hello","seat_tokens":[]}'
    with RawConnection(proxied, "192.0.2.26") as visitor:
        visitor.upgrade(path_of(match))
        parts = (TEXT, hello[:9]), (CONTINUATION, hello[9:12])
        for kind, part in parts:
            visitor.send(visitor.frame(kind, part, last=False))
        visitor.send(visitor.frame(CONTINUATION, hello[12:]))
        found = visitor.next_frame()
        assert found is not None
        assert json.loads(found[1])["type"] == "state", "parts make a message"
        # Each of them is short, and so few are allowed.
        for number in range(10):
            visitor.send(visitor.frame(CONTINUATION if number else TEXT, b" " * (MAX_MESSAGE_BYTES // 8), last=False))
        assert visitor.close_code() == 1009
    with RawConnection(proxied, "192.0.2.27") as visitor:
        visitor.upgrade(path_of(match))
        visitor.send(visitor.frame(TEXT, hello[:9], last=False))
        visitor.send(visitor.frame(TEXT, hello))
        assert visitor.close_code() == 1002, "a whole message between the parts of another is none"


# --- messages by their cost


def test_hellos_are_counted_over_reconnections_by_what_they_cost(proxied: str, match: dict[str, Any]) -> None:
    said = []
    for _ in range(7):
        with RawConnection(proxied, "192.0.2.23") as client:
            client.upgrade(path_of(match))
            said.append(greeted(client))
    assert [each["type"] for each in said[:5]] == ["state"] * 5
    assert said[6]["code"] == "rate_limited", "the bucket holds five of them"
    with RawConnection(proxied, "192.0.2.24") as other:
        other.upgrade(path_of(match))
        assert greeted(other)["type"] == "state"


def test_opening_sockets_again_and_again_is_too_much(proxied: str, match: dict[str, Any]) -> None:
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
def test_requests_are_counted_whatever_they_ask_for(proxied: str, number: int, path: str) -> None:
    asked = [http.get(f"{proxied}{path}", headers={"X-Forwarded-For": f"192.0.2.{60 + number}"}) for _ in range(30)]
    assert asked[0].status_code != 429
    refused = [answer for answer in asked if answer.status_code == 429]
    assert refused, "one may come in ten seconds"
    assert {answer.headers["connection"] for answer in refused} == {"close"}
    assert all(answer.json()["code"] == "rate_limited" and answer.headers["retry-after"] for answer in refused)


def test_requests_for_another_host_and_from_other_pages_are_counted(tmp_path: Path) -> None:
    names = ("--proxy", "127.0.0.1", "--origin", "https://games.example.org", "--max", "requests_per_minute=6")
    with server_address(tmp_path, *names) as address:
        for who, headers in (("192.0.2.70", {"Host": "other.example"}), ("192.0.2.71", {"Origin": "https://other"})):
            asked = [
                http.post(
                    f"{address}/api/me/matches", json={"seat_tokens": []}, headers={"X-Forwarded-For": who, **headers}
                )
                for _ in range(30)
            ]
            assert asked[0].status_code == 403
            assert 429 in [answer.status_code for answer in asked]


def test_sockets_at_paths_where_there_is_nothing_are_counted(proxied: str) -> None:
    answers = []
    for _ in range(14):
        with RawConnection(proxied, "192.0.2.72") as client:
            answers.append(client.upgrade("/api/matches/elsewhere").split()[1])
    assert answers[:12] == ["403"] * 12
    assert answers[13] == "429"


# --- bodies


def arriving(address: str, who: str, count: int, size: int) -> list[RawConnection]:
    """Requests that lack the last byte of their body."""
    found = []
    for _ in range(count):
        client = RawConnection(address, who)
        head = client.head("POST /api/replay HTTP/1.1", "Content-Type: application/json", f"Content-Length: {size}")
        client.send(head + b" " * (size - 1))
        found.append(client)
    return found


def test_bodies_that_never_end_take_one_clients_share_and_no_more(tmp_path: Path) -> None:
    most = 1024 * 1024
    with server_address(tmp_path, "--proxy", "127.0.0.1") as address, ExitStack() as opened:
        for number in range(2):
            attackers = arriving(address, f"192.0.2.{80 + number}", 32, most)
            for each in attackers:
                opened.enter_context(each)
            # Its first four took its share, and the last one is refused.
            assert attackers[-1].read_all().startswith(b"HTTP/1.1 429 ")
        record = json.dumps(random_record(limina.game("limes"), 3, players=1, steps=32).to_json())
        for body in (record, record.ljust(most)):
            about = {"X-Forwarded-For": "192.0.2.82", "Content-Type": "application/json"}
            assert http.post(f"{address}/api/replay", content=body, headers=about).status_code == 200


def test_bodies_of_all_clients_have_a_bound_and_small_ones_are_no_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limina.server.network.middleware.MAX_UPLOAD_BYTES", 300_000)
    statuses: list[int] = []

    async def scenario() -> None:
        services = Services(ServerSettings())
        middleware = SecurityMiddleware(answered, services.limits, services.origins, services.metrics)
        slow = [asyncio.create_task(post(middleware, f"192.0.2.{n}", b" " * 140_000, ends=False)) for n in range(2)]
        await asyncio.sleep(0)
        for who, size in (("192.0.2.9", 140_000), ("192.0.2.9", 60_000)):
            statuses.append(await post(middleware, who, b" " * size))
        for each in slow:
            each.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        statuses.append(await post(middleware, "192.0.2.9", b" " * 140_000))

    asyncio.run(scenario())
    assert statuses == [503, 200, 200]


async def answered(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})


async def post(app: Any, who: str, body: bytes, *, ends: bool = True) -> int:
    """The status of a request, once it is answered."""
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


def test_twenty_sockets_that_greet_and_come_back_get_no_more_answers_than_one_would(
    proxied: str, match: dict[str, Any]
) -> None:
    """What is answered is counted for the client over all its sockets and reconnections, and so is what is opened."""
    begun, answered, refused, denied = time.monotonic(), 0, 0, 0
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
                while (found := client.next_frame()) is not None:
                    said = json.loads(found[1]) if found[0] == TEXT else {}
                    answered += said.get("type") in ("state", "current")
                    refused += said.get("code") == "rate_limited"
    # The buckets were full, and have filled a little meanwhile: a greeting costs 4 of 2 a second.
    most = 5 + 2 * (time.monotonic() - begun) / 4
    assert 0 < answered <= most
    assert refused > answered
    assert denied >= 20 - 12 - 12 * (time.monotonic() - begun) / 60 - 1


# --- room for those who play


def test_those_who_watch_or_say_nothing_keep_no_player_out(proxied: str) -> None:
    asked = {"game": "limes", "seats": [{"kind": "person", "name": "Ada"}]}
    match = http.post(f"{proxied}/api/matches", json=asked).json()
    with ExitStack() as opened:

        def look(number: int) -> RawConnection:
            client = opened.enter_context(RawConnection(proxied, f"198.51.100.{number}"))
            assert "101" in client.upgrade(path_of(match))
            return client

        for number in range(6):
            look(number)  # and says nothing
        assert [greeted(look(number))["type"] for number in range(10, 13)] == ["state"] * 3
        assert greeted(look(13))["code"] == "rate_limited"
        assert greeted(look(14), [match["seat_tokens"][0]["seat_token"]])["type"] == "state"


def test_when_all_room_is_taken_the_oldest_without_a_seat_makes_way(tmp_path: Path) -> None:
    few = ["sh", "-c", 'ulimit -n 260; exec "$@"', "sh", *LIMINA]
    with running_server(tmp_path, program=few) as found, closing(Client(found.address)) as ada, ExitStack() as opened:
        match = ada.create("limes", "me")["match_id"]
        table = ada.live(match)
        table.until("state")
        for _ in range(300):  # more than it has descriptors
            half = opened.enter_context(RawConnection(found.address))
            half.send(b"GET / HTTP/1.1\r\n")
        ben = opened.enter_context(closing(Client(found.address)))
        assert ben.http.get("/api/health").status_code == 200, "whoever is new finds room"
        assert table.play(0, "d4r0")["type"] == "played"


def test_behind_a_proxy_open_connections_are_counted_for_whom_they_are(tmp_path: Path) -> None:
    """Sockets of every kind and requests together: each kind for itself would let one client have thrice as many."""
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
        asked = [
            http.get(f"{address}{path}", headers={"X-Forwarded-For": "192.0.2.40"}) for path in ("/", "/api/games")
        ]
        assert [answer.status_code for answer in asked] == [429, 429]
        assert "you have too many open connections" in asked[0].json()["error"]
        assert look("192.0.2.41")[0] == "101"
        clients[2][1].close()
        wait_until(lambda: look("192.0.2.40")[0] == "101")


class _Transport:
    """As much of a transport as is counted."""

    aborted = False

    def abort(self) -> None:
        self.aborted = True


def test_connections_of_one_address_have_an_end_unless_they_are_a_proxys() -> None:
    connections = Connections(RateLimits(ClientLimits(connections=2)), TrustedProxies("192.0.2.9"))
    transports: list[Any] = [_Transport() for _ in range(4)]
    assert [connections.admit(each, "192.0.2.1") for each in transports] == [True, True, False, False]
    connections.release(transports[0])
    assert connections.admit(transports[3], "192.0.2.1")
    proxys: list[Any] = [_Transport() for _ in range(4)]
    assert all(connections.admit(each, "192.0.2.9") for each in proxys)


def test_whoever_holds_a_seat_is_never_the_one_to_make_way() -> None:
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
