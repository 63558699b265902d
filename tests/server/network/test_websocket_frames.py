"""The WebSocket protocol: handshake, fragments, control frames and closing."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from limina.server.live.handler import MessageParser, SocketHandler
from limina.server.live.subscribers import Subscriber
from limina.server.matches import LoadedMatch, MatchRequest, SeatRequest
from limina.server.matches.new_match import new_match
from limina.server.network.socket_protocol import PreparedMessage
from limina.server.services import Services
from limina.server.settings import ServerSettings
from support.network.asgi_server import serve_app
from support.network.fake_connection import FakeConnection
from support.network.raw_connection import CLOSE, CONTINUATION, PING, TEXT, RawConnection
from support.server.clients import Client

PONG, BINARY = 10, 2
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
VERSION = "Sec-WebSocket-Version: 13"


@pytest.mark.parametrize(
    ("line", "wishes", "status"),
    [
        ("GET {} HTTP/1.1", (KEY, VERSION), b"101"),
        ("POST {} HTTP/1.1", (KEY, VERSION), b"400"),
        ("GET {} HTTP/1.1", (KEY,), b"400"),
        ("GET {} HTTP/1.1", (KEY, "Sec-WebSocket-Version: 8"), b"400"),
        ("GET {} HTTP/1.1", (KEY, KEY, VERSION), b"400"),
        ("GET {} HTTP/1.1", (VERSION,), b"400"),
        ("GET {} HTTP/1.1", ("Sec-WebSocket-Key: short", VERSION), b"400"),
        ("GET http:// HTTP/1.1", (KEY, VERSION), b"403"),
        ("GET {}/elsewhere HTTP/1.1", (KEY, VERSION), b"403"),
    ],
    ids=[
        "as it should be",
        "no GET",
        "no version",
        "old version",
        "two keys",
        "no key",
        "bad key",
        "no path",
        "nowhere",
    ],
)
def test_the_websocket_handshake_follows_the_protocol(
    ada: Client, line: str, wishes: tuple[str, ...], status: bytes
) -> None:
    path = f"/api/matches/{ada.create('limes', 'me')['match_id']}/live"
    with RawConnection(ada.base) as visitor:
        visitor.send(visitor.head(line.format(path), "Upgrade: websocket", "Connection: Upgrade", *wishes))
        response = visitor.socket.recv(65536)
    assert response.startswith(b"HTTP/1.1 %b " % status)
    assert status in (b"101", b"403") or b"WebSocket" in response, "in a sentence"
    if status == b"101":  # the accept value for this key in RFC 6455
        assert b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in response


def test_fragmented_and_interleaved_messages_are_read_in_order(ada: Client) -> None:
    path = f"/api/matches/{ada.create('limes', 'me')['match_id']}/live"
    with RawConnection(ada.base) as visitor:
        assert "101" in visitor.upgrade(path)
        hello, ask = b'{"type":"hello"}', b'{"type":"legal","request_id":"%b","seat_index": 0}'
        visitor.send(
            visitor.frame(TEXT, hello[:5], last=False)
            + visitor.frame(PING, b"there?")
            + visitor.frame(CONTINUATION, hello[5:])
            + visitor.frame(TEXT, ask % b"one")
            + visitor.frame(BINARY, ask % b"two")
        )
        visitor.send(visitor.frame(TEXT, ask % b"three"))
        frames = [visitor.next_frame() for _ in range(5)]
        assert [kind for kind, _ in filter(None, frames)] == [PONG, TEXT, TEXT, TEXT, TEXT]
        messages = [json.loads(content) for kind, content in filter(None, frames) if kind == TEXT]
        assert messages[0]["type"] == "state"
        assert [message["request_id"] for message in messages[1:]] == ["one", "two", "three"]
        visitor.send(visitor.frame(CLOSE, (1000).to_bytes(2, "big")))
        assert visitor.close_code() == 1000


def test_messages_during_the_save_of_a_turn_are_answered_after_it(ada: Client) -> None:
    match = ada.create("limes", "me")["match_id"]
    table = ada.live(match)
    table.until("state")
    table.send({"type": "turn", "idempotency_key": "first", "seat_index": 0, "turn_index": 0, "turn": "d4r0"})
    table.send({"type": "ping"})
    table.send({"type": "turn", "idempotency_key": "again", "seat_index": 0, "turn_index": 0, "turn": "d4r0"})
    table.send({"type": "legal", "request_id": "then", "seat_index": 0})
    messages = [table.receive() for _ in range(5)]
    assert [(message["type"], message.get("idempotency_key") or message.get("request_id")) for message in messages] == [
        ("update", None),
        ("played", "first"),
        ("pong", None),
        ("refused", "again"),
        ("legal", "then"),
    ]


def test_messages_right_after_the_hello_are_handled(ada: Client) -> None:
    path = f"/api/matches/{ada.create('limes', 'me')['match_id']}/live"
    with RawConnection(ada.base) as visitor:
        assert "101" in visitor.upgrade(path)
        hello, ping = visitor.frame(TEXT, b'{"type":"hello"}'), visitor.frame(TEXT, b'{"type":"ping"}')
        visitor.send(hello + 20 * ping)
        frames = [visitor.next_frame() for _ in range(21)]
        assert frames[1:] == 20 * [(TEXT, b'{"type":"pong"}')]
        visitor.send(ping)
        assert visitor.next_frame() == (TEXT, b'{"type":"pong"}')


def test_other_connections_are_served_between_messages_of_a_burst(tmp_path: Path) -> None:
    async def scenario() -> None:
        services = Services(ServerSettings(data=tmp_path))
        match, _ = new_match(MatchRequest("limes", (SeatRequest("person"),)), services.matches.bots.hosted)
        sent: list[PreparedMessage] = []
        subscriber = Subscriber(FakeConnection(sent.append), "client", services.limits)
        parser = MessageParser(services.limits, services.metrics, subscriber)
        parts = services.matches, services.messages, services.metrics
        handler = SocketHandler(*parts, LoadedMatch(match), subscriber, parser)
        assert [handler.receive('{"type":"ping"}') for _ in range(3)] == [0, 1, 2]
        assert len(sent) == 1
        await handler.finish()
        assert len(sent) == 3

    asyncio.run(scenario())


def test_the_server_waits_briefly_for_the_clients_close_frame(address: str) -> None:
    hello, ping = b'{"type":"hello"}', b'{"type":"ping"}'
    with RawConnection(address) as visitor, RawConnection(address) as attacker:
        for connection in (visitor, attacker):
            assert "101" in connection.upgrade("/api/matches/nothing-here/live")
            connection.send(connection.frame(TEXT, hello))
            frames = connection.next_frame(), connection.next_frame()
            assert [kind for kind, _ in filter(None, frames)] == [TEXT, CLOSE]
        visitor.send(visitor.frame(TEXT, ping))  # it crosses the server's close frame
        visitor.send(visitor.frame(PING))
        assert visitor.next_frame() == (PONG, b"")
        visitor.send(visitor.frame(CLOSE, (1000).to_bytes(2, "big")))
        assert visitor.next_frame() is None
        attacker.send(attacker.frame(PING) * 2000)
        assert attacker.close_code() is None, "it ends without a close frame of the client"


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (bytes([0x81, 0x81, 0, 0, 0, 0, 0xFF]), 1007),
        (bytes([0xF1, 0x80, 0, 0, 0, 0]), 1002),
        (bytes([0x81, 0x02]) + b"{}", 1002),
        (bytes([0x81, 0xFF]) + (1 << 40).to_bytes(8, "big") + b"\0\0\0\0", 1009),
        (bytes([0x01, 0x81, 0, 0, 0, 0, 0x20]) + bytes([0x00, 0x81, 0, 0, 0, 0, 0x20]) * 70, 1009),
    ],
    ids=["not text", "reserved bits", "without a mask", "huge", "many parts"],
)
def test_invalid_frames_close_the_socket_with_the_right_code(ada: Client, sent: bytes, code: int) -> None:
    path = f"/api/matches/{ada.create('limes', 'me')['match_id']}/live"
    with RawConnection(ada.base) as visitor:
        assert "101" in visitor.upgrade(path)
        visitor.send(sent)
        assert visitor.close_code() == code


@pytest.mark.parametrize(
    "sent",
    [
        bytes([0x81, 0x81, 0, 0, 0, 0, 0xFF]) + bytes([0xC1, 0x80, 0, 0, 0, 0]),
        bytes([0x81, 0x81, 0, 0, 0, 0, 0xFF]) + bytes([0x88, 0x80, 0, 0, 0, 0]),
        bytes([0x81, 0x81, 0, 0, 0, 0, 0xFF]) * 2,
        bytes([0x88, 0x80, 0, 0, 0, 0]) * 2 + bytes([0x89, 0x80, 0, 0, 0, 0]),
        bytes([0x81, 0x02]) + b"{}" + bytes([0x81, 0x81, 0, 0, 0, 0, 0xFF]),
    ],
    ids=["bad text, reserved bit", "bad text, close", "bad text twice", "close twice", "no mask, bad text"],
)
def test_several_protocol_violations_at_once_raise_nothing(sent: bytes) -> None:
    failures: list[str] = []

    async def stay(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass

    async def scenario() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context["message"]))
        async with serve_app(stay) as (address, connections):

            def attack() -> int | None:
                with RawConnection(address) as attacker:
                    assert "101" in attacker.upgrade("/")
                    attacker.send(sent)
                    return attacker.close_code()

            assert await asyncio.to_thread(attack) in (1002, 1005, 1007, 0, None)
            async with connect(address.replace("http", "ws")) as other:
                await (await other.ping())
            async with asyncio.timeout(60):
                while len(connections):
                    await asyncio.sleep(0.005)

    asyncio.run(scenario())
    assert not failures


def test_a_client_that_does_not_answer_pings_is_disconnected() -> None:
    async def stay(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass

    async def scenario() -> None:
        async with serve_app(stay, ws_ping_interval=0.5, ws_ping_timeout=0.5) as (address, connections):

            def silent() -> int | None:
                with RawConnection(address) as visitor:
                    assert "101" in visitor.upgrade("/")
                    return visitor.close_code()

            async with connect(address.replace("http", "ws")) as lively:
                for _ in range(2):  # the time in which the other client answers
                    assert await asyncio.to_thread(silent) == 1011
                await (await lively.ping())
            async with asyncio.timeout(60):
                while len(connections):  # all connections are released
                    await asyncio.sleep(0.005)

    asyncio.run(scenario())
