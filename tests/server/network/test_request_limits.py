"""Limits of headers, bodies and unread responses, also for slow clients."""

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


def test_too_large_headers_are_refused(address: str) -> None:
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
def test_bytes_outside_headers_and_bodies_are_limited(address: str, sent: bytes, more: bytes) -> None:
    with RawConnection(address) as attacker:
        attacker.send(sent)
        assert not all(attacker.send(more) for _ in range(2000)), "16 MB were taken"


@pytest.mark.parametrize(("size", "status"), [(1, b"413"), (16, b"200")])
def test_bodies_in_very_small_chunks_are_refused(address: str, size: int, status: bytes) -> None:
    body = b'{"seat_tokens": []}'.ljust(48_000)
    parts = (body[at : at + size] for at in range(0, len(body), size))
    about = ("Transfer-Encoding: chunked", "Content-Type: application/json", "Connection: close")
    with RawConnection(address) as sender:
        sender.send(sender.head("POST /api/me/matches HTTP/1.1", *about))
        sender.send(b"".join(b"%x\r\n%b\r\n" % (size, part) for part in parts) + b"0\r\n\r\n")
        assert sender.read_all().startswith(b"HTTP/1.1 %b " % status)


def test_pipelined_requests_are_limited(address: str) -> None:
    with RawConnection(address) as attacker:
        attacker.send(attacker.head("GET /api/health HTTP/1.1") * 1000)
        assert attacker.read_all().count(b"HTTP/1.1 200") < 100


# --- in this process, with short timeouts


async def serving(app: asgi_server.App, attack: Callable[[str], Awaitable[None]]) -> None:
    """Serve an application with the server's protocols."""
    async with asgi_server.serve_app(app) as (address, _):
        await attack(address)


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"\r\n"], ids=["nothing", "half", "a line"])
def test_incomplete_requests_time_out(monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(http_protocol, "HEADER_TIMEOUT_SECONDS", 0.05)

    async def never(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("nothing was asked")

    async def wait(address: str) -> None:
        with RawConnection(address) as half:
            half.send(sent)
            assert await asyncio.to_thread(half.read_all) == b""

    asyncio.run(serving(never, wait))


def test_data_before_the_handshake_is_complete_closes_the_connection() -> None:
    started, failures, received = asyncio.Event(), list[str](), list[str]()

    async def hesitate(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        started.set()
        received.append((await receive())["type"])
        await send({"type": "websocket.accept"})

    async def interrupt(address: str) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context["message"]))
        with RawConnection(address) as hasty:
            opening = asyncio.create_task(asyncio.to_thread(hasty.upgrade, "/"))
            await started.wait()
            hasty.send(b"GET / HTTP/1.1\r\n")
            with suppress(ConnectionError):
                assert await opening == ""

    asyncio.run(serving(hesitate, interrupt))
    assert (failures, received) == ([], ["websocket.disconnect"])


def test_no_websocket_upgrade_while_a_request_is_being_answered() -> None:
    started, ended, kinds = asyncio.Event(), asyncio.Event(), list[str]()

    async def dawdle(scope: Any, receive: Any, send: Any) -> None:
        kinds.append(scope["type"])
        started.set()
        while (await receive())["type"] != "http.disconnect":
            pass
        ended.set()

    async def interrupt(address: str) -> None:
        with RawConnection(address) as hasty:
            hasty.send(hasty.head("GET / HTTP/1.1"))
            await started.wait()
            assert await asyncio.to_thread(hasty.upgrade, "/") == ""
            await asyncio.wait_for(ended.wait(), 60)

    asyncio.run(serving(dawdle, interrupt))
    assert kinds == ["http"]


def test_trailers_after_a_body_are_not_headers() -> None:
    header_names = list[bytes]()

    async def look(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        header_names.extend(name for name, _ in scope["headers"])
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    async def add(address: str) -> None:
        with RawConnection(address) as sender:
            wishes = ("Transfer-Encoding: chunked", "Connection: close")
            sender.send(sender.head("POST / HTTP/1.1", *wishes) + b"0\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n")
            assert (await asyncio.to_thread(sender.read_all)).startswith(b"HTTP/1.1 204 ")

    asyncio.run(serving(look, add))
    assert header_names == [b"host", b"transfer-encoding", b"connection"]


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_a_client_that_never_reads_a_small_response_is_disconnected(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(write_stall, "WRITE_STALL_TIMEOUT_SECONDS", 0.05)

    filled = asyncio.Event()
    seen = list[Connections]()

    async def fill(scope: Any, receive: Any, send: Any) -> None:
        """Send so much that a part of it does not leave at once."""
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


def test_a_client_that_reads_slowly_stays_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test calls the stall check itself, between slow reads."""
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
def test_a_client_that_does_not_read_is_disconnected(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
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


def test_closed_sockets_are_freed_without_the_garbage_collector() -> None:
    references: list[ref[Any]] = []

    async def stay(scope: Any, receive: Any, send: Any) -> None:
        connection = scope["state"]["connection"]
        references.extend((ref(connection), ref(connection.conn)))
        await receive()
        if scope["path"] == "/refused":
            await send({"type": "websocket.close"})
            return
        await send({"type": "websocket.accept"})
        await receive()

    async def connect_and_close(address: str) -> None:
        for path in ("/", "/refused"):
            with RawConnection(address) as visitor:
                await asyncio.to_thread(visitor.upgrade, path)
                visitor.send(visitor.frame(CLOSE))
                await asyncio.to_thread(visitor.read_all)
        async with asyncio.timeout(60):
            while any(reference() for reference in references):
                await asyncio.sleep(0.005)

    gc.disable()
    try:
        asyncio.run(serving(stay, connect_and_close))
    finally:
        gc.enable()
    assert len(references) == 4


def test_closed_connections_leave_no_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    """No timer may keep a closed connection in memory."""
    monkeypatch.setattr(http_protocol, "HEADER_TIMEOUT_SECONDS", 600.0)
    monkeypatch.setattr(write_stall, "WRITE_STALL_TIMEOUT_SECONDS", 600.0)
    monkeypatch.setattr(socket_protocol, "_CLOSE_TIMEOUT_SECONDS", 600.0)

    async def refuse(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.close"})

    async def connect_and_close(address: str) -> None:
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

    asyncio.run(serving(refuse, connect_and_close))


def test_unsent_data_is_limited_for_each_socket_and_client() -> None:
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
