"""What a request can cost: headers, bodies and what is never read have an end, however slowly they come."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable
from contextlib import suppress
from socket import SHUT_WR
from typing import Any
from weakref import ref

import pytest

from limina.server.live.subscribers import Subscriber
from limina.server.network import http_protocol, socket_protocol, write_stall
from limina.server.network.connections import Connections
from limina.server.network.rate_limits import RateLimits
from limina.server.network.socket_protocol import PreparedMessage
from limina.server.network.write_stall import WriteStallTimer
from limina.server.settings import ClientLimits
from support.network import asgi_server
from support.network.fake_connection import FakeConnection
from support.network.raw_connection import CLOSE, RawConnection


def test_headers_have_an_end(address: str) -> None:
    for sent in (
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"a%d: b\r\n" % n for n in range(200)),
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"a: " + b"b" * 40_000,
        b"GET /" + b"x" * 40_000,
        b"GET / HTTP/1.1\r\nHost: x\r\na: " + b"b" * 20_000 + b"\r\n\r\n",
    ):
        with RawConnection(address) as attacker:
            attacker.send(sent)
            assert attacker.read_all().startswith(b"HTTP/1.1 431 "), sent[:60]


@pytest.mark.parametrize(
    ("sent", "more"),
    [
        (b"", b"\r\n" * 4096),
        (b"POST /api/me/matches HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"x" * 8192),
    ],
    ids=["lines before a request", "what is added to a chunk"],
)
def test_what_belongs_to_no_request_and_no_body_has_an_end(address: str, sent: bytes, more: bytes) -> None:
    with RawConnection(address) as attacker:
        attacker.send(sent)
        assert not all(attacker.send(more) for _ in range(2000)), "16 MB were taken"


@pytest.mark.parametrize(("size", "status"), [(1, b"413"), (16, b"200")])
def test_a_body_comes_in_parts_that_are_worth_reading(address: str, size: int, status: bytes) -> None:
    body = b'{"seat_tokens": []}'.ljust(48_000)
    parts = (body[at : at + size] for at in range(0, len(body), size))
    about = ("Transfer-Encoding: chunked", "Content-Type: application/json", "Connection: close")
    with RawConnection(address) as sender:
        sender.send(sender.head("POST /api/me/matches HTTP/1.1", *about))
        sender.send(b"".join(b"%x\r\n%b\r\n" % (size, part) for part in parts) + b"0\r\n\r\n")
        assert sender.read_all().startswith(b"HTTP/1.1 %b " % status)


def test_many_requests_before_the_first_answer_are_ended(address: str) -> None:
    with RawConnection(address) as attacker:
        attacker.send(attacker.head("GET /api/health HTTP/1.1") * 1000)
        assert attacker.read_all().count(b"HTTP/1.1 200") < 100


# --- in this process, where time can be made short


async def serving(app: asgi_server.App, attack: Callable[[str], Awaitable[None]]) -> None:
    """Serve an application with our protocols while something is done to it."""
    async with asgi_server.serve_app(app) as (address, _):
        await attack(address)


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"\r\n"], ids=["nothing", "half", "a line"])
def test_half_a_request_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(http_protocol, "HEADER_TIMEOUT_SECONDS", 0.05)

    async def never(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("nothing was asked")

    async def wait(address: str) -> None:
        with RawConnection(address) as half:
            half.send(sent)
            assert await asyncio.to_thread(half.read_all) == b""

    asyncio.run(serving(never, wait))


def test_whoever_speaks_before_the_socket_is_open_is_cut_off_and_nothing_fails() -> None:
    begun, failures, heard = asyncio.Event(), list[str](), list[str]()

    async def hesitate(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        begun.set()
        heard.append((await receive())["type"])
        await send({"type": "websocket.accept"})

    async def interrupt(address: str) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context["message"]))
        with RawConnection(address) as hasty:
            opening = asyncio.create_task(asyncio.to_thread(hasty.upgrade, "/"))
            await begun.wait()
            hasty.send(b"GET / HTTP/1.1\r\n")
            with suppress(ConnectionError):
                assert await opening == ""

    asyncio.run(serving(hesitate, interrupt))
    assert (failures, heard) == ([], ["websocket.disconnect"])


def test_no_socket_is_opened_while_something_else_is_being_answered() -> None:
    begun, ended, kinds = asyncio.Event(), asyncio.Event(), list[str]()

    async def dawdle(scope: Any, receive: Any, send: Any) -> None:
        kinds.append(scope["type"])
        begun.set()
        while (await receive())["type"] != "http.disconnect":
            pass
        ended.set()

    async def interrupt(address: str) -> None:
        with RawConnection(address) as hasty:
            hasty.send(hasty.head("GET / HTTP/1.1"))
            await begun.wait()
            assert await asyncio.to_thread(hasty.upgrade, "/") == ""
            await asyncio.wait_for(ended.wait(), 60)

    asyncio.run(serving(dawdle, interrupt))
    assert kinds == ["http"]


def test_what_comes_after_a_body_is_no_header() -> None:
    found = list[bytes]()

    async def look(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        found.extend(name for name, _ in scope["headers"])
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    async def add(address: str) -> None:
        with RawConnection(address) as sender:
            wishes = ("Transfer-Encoding: chunked", "Connection: close")
            sender.send(sender.head("POST / HTTP/1.1", *wishes) + b"0\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n")
            assert (await asyncio.to_thread(sender.read_all)).startswith(b"HTTP/1.1 204 ")

    asyncio.run(serving(look, add))
    assert found == [b"host", b"transfer-encoding", b"connection"]


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_a_little_that_is_never_read_keeps_no_connection_open(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(write_stall, "WRITE_STALL_TIMEOUT_SECONDS", 0.05)

    filled = asyncio.Event()
    seen = list[Connections]()

    async def fill(scope: Any, receive: Any, send: Any) -> None:
        """Say so much that a little of it does not leave at once."""
        connections: Connections = scope["state"]["connections"]
        (transport,) = connections._counts
        if kind == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
        else:
            await receive()
            await send({"type": "websocket.accept"})
        while not transport.get_write_buffer_size():
            transport.write(b"x" * 1000)
        seen.append(connections)
        filled.set()
        if kind == "http":
            await send({"type": "http.response.body"})
        else:
            await receive()

    async def go_deaf(address: str) -> None:
        with RawConnection(address) as deaf:
            if kind == "http":
                deaf.send(deaf.head("GET / HTTP/1.1", "Connection: close"))
            else:
                await asyncio.to_thread(deaf.upgrade, "/")
                deaf.socket.shutdown(SHUT_WR)
            async with asyncio.timeout(60):
                await filled.wait()
                while any(map(len, seen)):
                    await asyncio.sleep(0.005)

    asyncio.run(serving(fill, go_deaf))


def test_a_slow_reader_stays_connected_as_long_as_bytes_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stall check is called by hand, between reads that are slow."""
    timers: list[WriteStallTimer] = []
    monkeypatch.setattr(write_stall, "WRITE_STALL_TIMEOUT_SECONDS", 3600.0)

    class Timer(WriteStallTimer):
        def start(self) -> None:
            super().start()
            timers.append(self)

    monkeypatch.setattr(http_protocol, "WriteStallTimer", Timer)
    size = 30_000_000

    async def much(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x" * size})

    async def read_slowly(address: str) -> None:
        with RawConnection(address) as slow:
            slow.send(slow.head("GET / HTTP/1.1"))
            first = await asyncio.to_thread(slow.socket.recv, 1000)
            timer = timers[0]
            transport = timer._transport
            read = len(first)
            for _ in range(3):
                left = transport.get_write_buffer_size()
                assert left > 0
                while transport.get_write_buffer_size() == left:
                    read += len(await asyncio.to_thread(slow.socket.recv, 100_000))
                timer._check()
                assert not transport.is_closing(), f"cut off after {read} bytes"
            timer._check()
            assert transport.is_closing(), "nothing has left since the last check"

    asyncio.run(serving(much, read_slowly))


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_whoever_does_not_read_is_cut_off(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(write_stall, "WRITE_STALL_TIMEOUT_SECONDS", 0.05)
    ended = asyncio.Event()

    async def endless(scope: Any, receive: Any, send: Any) -> None:
        if kind == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
        else:
            await send({"type": "websocket.accept"})

        async def pour() -> None:
            while True:
                if kind == "http":
                    await send({"type": "http.response.body", "body": b"x" * 100_000, "more_body": True})
                else:
                    scope["state"]["connection"].try_send(PreparedMessage(b"x" * 100_000))
                await asyncio.sleep(0)

        pouring = asyncio.create_task(pour())
        while (await receive())["type"] != f"{kind}.disconnect":
            pass
        pouring.cancel()
        await asyncio.gather(pouring, return_exceptions=True)
        ended.set()

    async def stall(address: str) -> None:
        with RawConnection(address) as lazy:
            if kind == "http":
                lazy.send(lazy.head("GET / HTTP/1.1"))
            else:
                await asyncio.to_thread(lazy.upgrade, "/")
            await asyncio.wait_for(ended.wait(), 60)

    asyncio.run(serving(endless, stall))


def test_a_socket_that_is_gone_is_freed_without_being_looked_for() -> None:
    there: list[ref[Any]] = []

    async def stay(scope: Any, receive: Any, send: Any) -> None:
        connection = scope["state"]["connection"]
        there.extend((ref(connection), ref(connection.conn)))
        await receive()
        if scope["path"] == "/refused":
            await send({"type": "websocket.close"})
            return
        await send({"type": "websocket.accept"})
        await receive()

    async def come_and_go(address: str) -> None:
        for path in ("/", "/refused"):
            with RawConnection(address) as visitor:
                await asyncio.to_thread(visitor.upgrade, path)
                visitor.send(visitor.frame(CLOSE))
                await asyncio.to_thread(visitor.read_all)
        async with asyncio.timeout(60):
            while any(each() for each in there):
                await asyncio.sleep(0.005)

    gc.disable()
    try:
        asyncio.run(serving(stay, come_and_go))
    finally:
        gc.enable()
    assert len(there) == 4


def test_no_timer_is_left_of_a_connection_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of thousands that come and go, none is to be kept because it might have lingered."""
    monkeypatch.setattr(http_protocol, "HEADER_TIMEOUT_SECONDS", 600.0)
    monkeypatch.setattr(write_stall, "WRITE_STALL_TIMEOUT_SECONDS", 600.0)
    monkeypatch.setattr(socket_protocol, "_CLOSE_TIMEOUT_SECONDS", 600.0)

    async def refuse(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.close"})

    async def come_and_go(address: str) -> None:
        loop: Any = asyncio.get_running_loop()
        with RawConnection(address) as visitor:
            await asyncio.to_thread(visitor.upgrade, "/")
            await asyncio.to_thread(visitor.read_all)
        with RawConnection(address) as visitor:
            visitor.send(b"GET / HTTP/1.1\r\nHost: x\r\n" + b"a: " + b"b" * 40_000)
            await asyncio.to_thread(visitor.read_all)
        async with asyncio.timeout(30):
            while any(not timer.cancelled() and timer.when() > loop.time() + 300 for timer in loop._scheduled):
                await asyncio.sleep(0.005)

    asyncio.run(serving(refuse, come_and_go))


def test_what_waits_to_be_read_has_an_end_of_a_socket_and_of_a_client() -> None:
    limits = RateLimits(ClientLimits(send_buffer_kilobytes=1500))

    def stuck(client: str) -> tuple[Subscriber, FakeConnection]:
        connection = FakeConnection(lambda _: None, stuck=True)
        return Subscriber(connection, client, limits), connection

    (first, one), (second, two), (other, three) = (stuck(who) for who in ("a", "a", "b"))
    for _ in range(2000):
        first.send(PreparedMessage(b"x" * 1000))
    assert one.closed == (1013, "too slow")
    assert not first._outbox, "what waited was dropped"
    held, four = stuck("a")
    for _ in range(900):
        held.send(PreparedMessage(b"x" * 1000))
        second.send(PreparedMessage(b"x" * 1000))
        other.send(PreparedMessage(b"x" * 1000))
    assert two.closed or four.closed, "together they had too much"
    assert three.closed is None
    assert len(other._outbox) == 900
    for viewer in (first, second, held, other):
        viewer.release()
    assert not limits._counts
