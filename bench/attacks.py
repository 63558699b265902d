"""What one attacking client does at its worst, as a program of its own.

    python -m bench.attacks NAME ADDRESS MATCH SECONDS

Every attack opens whatever it was thrown out of again, as fast as it can. It says how often it did its deed.
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

WHO = "192.0.2.66"
ATTACKER = "127.0.0.2"
"""The address of an attacker that comes without a proxy."""
HELLO = b'{"type":"hello"}'
MOST_OPEN = 300

Attack = Callable[[str, str, Callable[[], bool]], int]


def _socket(address: str, match: str) -> RawConnection | None:
    """A socket at the match, if one can be had."""
    connection = None
    with suppress(OSError):
        connection = RawConnection(address, WHO, timeout=5)
        if " 101 " in connection.upgrade(f"/api/matches/{match}/live"):
            return connection
    if connection is not None:
        connection.close()
    return None


def _sockets(address: str, match: str, going: Callable[[], bool]) -> Iterator[RawConnection]:
    """One socket after the other, a new one as soon as the last was used up."""
    while going():
        found = _socket(address, match)
        if found is not None:
            with found:
                yield found


def _flood(address: str, match: str, going: Callable[[], bool], first: bytes, piece: bytes, count: int) -> int:
    sent = 0
    for connection in _sockets(address, match, going):
        alive = connection.send(first)
        connection.socket.setblocking(False)
        while alive and going():
            try:
                sent += connection.socket.send(piece) * count // len(piece)
                connection.socket.recv(1 << 20)
            except BlockingIOError:
                time.sleep(0.001)
            except OSError:
                alive = False
    return sent


def pings(address: str, match: str, going: Callable[[], bool]) -> int:
    """Control frames of six bytes without an end."""
    frame = bytes([0x80 | PING, 0x80, 0, 0, 0, 0])
    return _flood(address, match, going, b"", frame * 2000, 2000)


def parts(address: str, match: str, going: Callable[[], bool]) -> int:
    """A message in empty parts without an end."""
    first, part = bytes([TEXT, 0x81, 0, 0, 0, 0]) + b"{", bytes([CONTINUATION, 0x80, 0, 0, 0, 0])
    return _flood(address, match, going, first, part * 2000, 2000)


def hellos(address: str, match: str, going: Callable[[], bool]) -> int:
    """The same greeting again and again, over a new socket whenever one is closed."""
    frame = bytes([0x80 | TEXT, 0x80 | len(HELLO), 0, 0, 0, 0]) + HELLO
    return _flood(address, match, going, b"", frame * 20, 20)


def greeters(address: str, match: str, going: Callable[[], bool]) -> int:
    """Twenty sockets, each of which greets as often as is allowed and comes back before it is thrown out."""
    frame = bytes([0x80 | TEXT, 0x80 | len(HELLO), 0, 0, 0, 0]) + HELLO
    sockets: dict[RawConnection, int] = {}
    sent = 0
    while going():
        if len(sockets) < 20 and (found := _socket(address, match)) is not None:
            found.socket.setblocking(False)
            sockets[found] = 0
        for each in list(sockets):
            try:
                each.socket.send(frame)
                sent += 1
                sockets[each] += 1
                each.socket.recv(1 << 20)
            except BlockingIOError:
                pass
            except OSError:
                sockets[each] = 195
            if sockets[each] >= 195:
                del sockets[each]
                each.close()
        time.sleep(0.001)
    for each in sockets:
        each.close()
    return sent


def deaf(address: str, match: str, going: Callable[[], bool]) -> int:
    """Sockets that ask for everything and read nothing."""
    with ExitStack() as opened:
        sockets: list[RawConnection] = []
        count = 0
        while going():
            if len(sockets) < MOST_OPEN and (found := _socket(address, match)) is not None:
                sockets.append(opened.enter_context(found))
            for each in sockets[-20:]:
                each.socket.setblocking(False)
                with suppress(OSError):
                    each.socket.send(each.frame(TEXT, HELLO) * 10)
                    count += 10
            time.sleep(0.005)
        return count


def silent(address: str, match: str, going: Callable[[], bool]) -> int:
    """Sockets that never say hello."""
    with ExitStack() as opened:
        count = 0
        while going():
            found = _socket(address, match) if count < MOST_OPEN else None
            if found is None:
                time.sleep(0.005)
            else:
                opened.enter_context(found)
                count += 1
        return count


def halves(address: str, match: str, going: Callable[[], bool]) -> int:
    """Requests that never come to their end."""
    with ExitStack() as opened:
        count = 0
        while going():
            if count < MOST_OPEN:
                half = opened.enter_context(RawConnection(address, WHO, timeout=5))
                half.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
                count += 1
            else:
                time.sleep(0.005)
        return count


def headers(address: str, match: str, going: Callable[[], bool]) -> int:
    """Headers without an end."""
    count = 0
    while going():
        with suppress(OSError), RawConnection(address, WHO, timeout=5) as connection:
            connection.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
            while going() and connection.send(b"a: " + b"b" * 4000 + b"\r\n"):
                count += 1
    return count


def _asked(address: str, going: Callable[[], bool], line: str, body: bytes = b"") -> int:
    count = 0
    while going():
        with suppress(OSError), RawConnection(address, WHO, timeout=20) as connection:
            more = (f"Content-Length: {len(body)}", "Content-Type: application/json") if body else ()
            request = connection.head(f"{line} HTTP/1.1", *more) + body
            while going() and connection.send(request):
                if not connection.socket.recv(1 << 20):
                    break
                count += 1
    return count


def requests(address: str, match: str, going: Callable[[], bool]) -> int:
    """The state of a match, asked for without a pause."""
    return _asked(address, going, f"GET /api/matches/{match}")


def numbers(address: str, match: str, going: Callable[[], bool]) -> int:
    """A megabyte of numbers for a record."""
    body = b'{"format":"limina/1","x":[' + b"1," * 500_000 + b"1]}"
    return _asked(address, going, "POST /api/replay", body)


def replays(address: str, match: str, going: Callable[[], bool]) -> int:
    """Every position of a late table, asked for over several connections."""
    with ThreadPoolExecutor(8) as threads:
        line = f"GET /api/matches/{match}/replay"
        return sum(threads.map(lambda _: _asked(address, going, line), range(8)))


def lists(address: str, match: str, going: Callable[[], bool]) -> int:
    """The list of one's matches, with as many keys as may be asked for."""
    people = b'{"game":"limes","seats":[' + b",".join([b'{"kind":"person"}'] * 8) + b"]}"
    keys = []
    with RawConnection(address, WHO, timeout=20) as connection:
        for _ in range(50):
            more = (f"Content-Length: {len(people)}", "Content-Type: application/json")
            connection.send(connection.head("POST /api/matches HTTP/1.1", *more) + people)
            found = b""
            while (at := found.find(b"\r\n\r\n")) < 0 or len(found) < at + 4 + _length(found):
                found += connection.socket.recv(1 << 20)
            if b" 201 " not in found[:40]:
                break
            keys += [held["key"] for held in json.loads(found[at + 4 :])["keys"]]
    body = json.dumps({"keys": keys[:200]}).encode()
    return _asked(address, going, "POST /api/mine", body)


def lockout(address: str, match: str, going: Callable[[], bool]) -> int:
    """Keep 150 connections busy with requests for the page, and open 200 more a second, from one address."""
    host, _, port = address.removeprefix("http://").partition(":")
    count = 0

    class Busy(asyncio.Protocol):
        def __init__(self) -> None:
            self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self.transport = cast(asyncio.Transport, transport)
            self.ask()

        def ask(self) -> None:
            self.transport.write(f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())

        def data_received(self, data: bytes) -> None:
            nonlocal count
            if data.startswith(b"HTTP/1.1 "):
                count += 1
                self.ask()

        def connection_lost(self, exc: Exception | None) -> None:
            if not self.lost.done():
                self.lost.set_result(None)

    async def opened(protocol: type[asyncio.Protocol]) -> tuple[asyncio.Transport, asyncio.Protocol]:
        source = (ATTACKER, 0)
        return await asyncio.get_running_loop().create_connection(protocol, host, int(port), local_addr=source)

    async def stay() -> None:
        while going():
            with suppress(OSError, TimeoutError):
                transport, busy = await opened(Busy)
                async with asyncio.timeout(1):
                    assert isinstance(busy, Busy)
                    while going():
                        await asyncio.wait([busy.lost], timeout=0.2)
                        if busy.lost.done():
                            break
                transport.close()

    async def come_and_go() -> None:
        begun, openings = time.monotonic(), 0
        while going():
            with suppress(OSError):
                (await opened(asyncio.Protocol))[0].close()
            openings += 1
            await asyncio.sleep(max(0.0, begun + openings / 200 - time.monotonic()))

    async def all_at_once() -> None:
        await asyncio.gather(*(stay() for _ in range(150)), come_and_go())

    uvloop.run(all_at_once())
    return count


def bodies(address: str, match: str, going: Callable[[], bool]) -> int:
    """Requests of two clients whose bodies of a megabyte lack their last byte."""
    size = 1024 * 1024
    with ExitStack() as opened:
        count = 0
        while going():
            for number in range(64 if count < 64 else 0):
                half = opened.enter_context(RawConnection(address, f"192.0.2.{200 + number % 2}", timeout=5))
                about = ("Content-Type: application/json", f"Content-Length: {size}")
                count += half.send(half.head("POST /api/replay HTTP/1.1", *about) + b" " * (size - 1))
            time.sleep(0.05)
        return count


def _length(answer: bytes) -> int:
    found = re.search(rb"content-length: (\d+)", answer, re.IGNORECASE)
    return int(found[1]) if found else 0


ATTACKS: dict[str, Attack] = {
    each.__name__: each
    for each in (pings, parts, hellos, greeters, deaf, silent, halves, headers, requests, numbers, replays, lists)
}
AGAINST_NEWCOMERS: dict[str, Attack] = {each.__name__: each for each in (lockout, bodies)}


def main() -> None:
    """Attack for so many seconds."""
    name, address, match, seconds = sys.argv[1:]
    end = time.monotonic() + float(seconds)
    print((ATTACKS | AGAINST_NEWCOMERS)[name](address, match, lambda: time.monotonic() < end))


if __name__ == "__main__":
    main()
