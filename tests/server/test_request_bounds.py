"""What a request can cost: headers, bodies and what is never read have an end, however slowly they come."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from kit.connections import FakeConnection
from kit.raw import RawConnection
from limina.server.settings import Allowed
from limina.server.web import http_connection, socket_connection
from limina.server.web.connections import Connections
from limina.server.web.http_connection import HttpConnection
from limina.server.web.rate_limits import RateLimits
from limina.server.web.socket_connection import SocketConnection
from limina.server.web.viewers import Viewer
from limina.server.wire.encoding import framed


def test_headers_have_an_end(address: str) -> None:
    for sent in (
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"a%d: b\r\n" % n for n in range(200)),
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"a: " + b"b" * 40_000,
        b"GET /" + b"x" * 40_000,
        b"GET / HTTP/1.1\r\nHost: x\r\na: " + b"b" * 20_000 + b"\r\n\r\n",
    ):
        with RawConnection(address) as attacker:
            attacker.send(sent)
            assert attacker.rest().startswith(b"HTTP/1.1 431 "), sent[:60]


@pytest.mark.parametrize(
    ("sent", "more"),
    [
        (b"", b"\r\n" * 4096),
        (b"POST /api/mine HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"x" * 8192),
    ],
    ids=["lines before a request", "what is added to a chunk"],
)
def test_what_belongs_to_no_request_and_no_body_has_an_end(address: str, sent: bytes, more: bytes) -> None:
    with RawConnection(address) as attacker:
        attacker.send(sent)
        assert not all(attacker.send(more) for _ in range(2000)), "16 MB were taken"


@pytest.mark.parametrize(("size", "status"), [(1, b"413"), (16, b"200")])
def test_a_body_comes_in_parts_that_are_worth_reading(address: str, size: int, status: bytes) -> None:
    body = b'{"keys": []}'.ljust(48_000)
    parts = (body[at : at + size] for at in range(0, len(body), size))
    about = ("Transfer-Encoding: chunked", "Content-Type: application/json", "Connection: close")
    with RawConnection(address) as sender:
        sender.send(sender.head("POST /api/mine HTTP/1.1", *about))
        sender.send(b"".join(b"%x\r\n%b\r\n" % (size, part) for part in parts) + b"0\r\n\r\n")
        assert sender.rest().startswith(b"HTTP/1.1 %b " % status)


def test_many_requests_before_the_first_answer_are_ended(address: str) -> None:
    with RawConnection(address) as attacker:
        attacker.send(attacker.head("GET /api/health HTTP/1.1") * 1000)
        assert attacker.rest().count(b"HTTP/1.1 200") < 100


# --- in this process, where time can be made short


Asgi = Callable[[Any, Any, Any], Awaitable[None]]


async def serving(app: Asgi, attack: Callable[[str], Awaitable[None]]) -> None:
    """Serve an application with our connections while something is done to it."""
    config = uvicorn.Config(app, http=HttpConnection, ws=SocketConnection, lifespan="off", log_level="critical")
    config.load()
    limits = RateLimits()
    state = {"limits": limits, "connections": Connections(limits)}
    make = partial(HttpConnection, config=config, server_state=ServerState(), app_state=state)
    serving = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
    try:
        await attack(f"http://127.0.0.1:{serving.sockets[0].getsockname()[1]}")
    finally:
        serving.close()


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"\r\n"], ids=["nothing", "half", "a line"])
def test_half_a_request_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(http_connection, "HEAD_SECONDS", 0.05)

    async def never(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("nothing was asked")

    async def wait(address: str) -> None:
        with RawConnection(address) as half:
            half.send(sent)
            assert await asyncio.to_thread(half.rest) == b""

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


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_whoever_does_not_read_is_cut_off(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    for module in (http_connection, socket_connection):
        monkeypatch.setattr(module, "STALLED_SECONDS", 0.05)
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
                    scope["state"]["connection"].tell(framed(b"x" * 100_000))
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


def test_what_waits_to_be_read_has_an_end_of_a_socket_and_of_a_client() -> None:
    limits = RateLimits(Allowed(unread_kilobytes=1500))

    def stuck(client: str) -> tuple[Viewer, FakeConnection]:
        connection = FakeConnection(lambda _: None, stuck=True)
        return Viewer(connection, client, limits), connection

    (first, one), (second, two), (other, three) = (stuck(who) for who in ("a", "a", "b"))
    for _ in range(2000):
        first.send(b"x" * 1000)
    assert one.ended == (1013, "too slow")
    assert not first._outbox, "what waited was dropped"
    held, four = stuck("a")
    for _ in range(900):
        held.send(b"x" * 1000)
        second.send(b"x" * 1000)
        other.send(b"x" * 1000)
    assert two.ended or four.ended, "together they had too much"
    assert three.ended is None
    assert len(other._outbox) == 900
    for viewer in (first, second, held, other):
        viewer.leave()
    assert not limits._held
