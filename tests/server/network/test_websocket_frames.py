"""WebSockets to the letter: how they are opened, what comes in which parts, and how they end."""

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
def test_a_socket_is_opened_as_the_protocol_has_it(
    ada: Client, line: str, wishes: tuple[str, ...], status: bytes
) -> None:
    path = f"/api/matches/{ada.create('limes', 'me')['match_id']}/live"
    with RawConnection(ada.base) as visitor:
        visitor.send(visitor.head(line.format(path), "Upgrade: websocket", "Connection: Upgrade", *wishes))
        said = visitor.socket.recv(65536)
    assert said.startswith(b"HTTP/1.1 %b " % status)
    assert status in (b"101", b"403") or b"WebSocket" in said, "in a sentence"
    if status == b"101":  # the answer to this key in the protocol's own document
        assert b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in said


def test_messages_in_parts_and_between_other_frames_are_read_in_their_order(ada: Client) -> None:
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
        found = [visitor.next_frame() for _ in range(5)]
        assert [kind for kind, _ in filter(None, found)] == [PONG, TEXT, TEXT, TEXT, TEXT]
        messages = [json.loads(content) for kind, content in filter(None, found) if kind == TEXT]
        assert messages[0]["type"] == "state"
        assert [message["request_id"] for message in messages[1:]] == ["one", "two", "three"]
        visitor.send(visitor.frame(CLOSE, (1000).to_bytes(2, "big")))
        assert visitor.close_code() == 1000


def test_what_is_said_while_a_turn_is_saved_is_answered_after_it(ada: Client) -> None:
    match = ada.create("limes", "me")["match_id"]
    table = ada.live(match)
    table.until("state")
    table.send({"type": "turn", "idempotency_key": "first", "seat_index": 0, "turn_index": 0, "turn": "d4r0"})
    table.send({"type": "ping"})
    table.send({"type": "turn", "idempotency_key": "again", "seat_index": 0, "turn_index": 0, "turn": "d4r0"})
    table.send({"type": "legal", "request_id": "then", "seat_index": 0})
    heard = [table.receive() for _ in range(5)]
    assert [(each["type"], each.get("idempotency_key") or each.get("request_id")) for each in heard] == [
        ("update", None),
        ("played", "first"),
        ("pong", None),
        ("refused", "again"),
        ("legal", "then"),
    ]


def test_whoever_says_much_with_the_hello_is_heard_on(ada: Client) -> None:
    path = f"/api/matches/{ada.create('limes', 'me')['match_id']}/live"
    with RawConnection(ada.base) as visitor:
        assert "101" in visitor.upgrade(path)
        hello, ping = visitor.frame(TEXT, b'{"type":"hello"}'), visitor.frame(TEXT, b'{"type":"ping"}')
        visitor.send(hello + 20 * ping)
        found = [visitor.next_frame() for _ in range(21)]
        assert found[1:] == 20 * [(TEXT, b'{"type":"pong"}')]
        visitor.send(ping)
        assert visitor.next_frame() == (TEXT, b'{"type":"pong"}')


def test_others_have_their_turn_between_messages_that_come_at_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        services = Services(ServerSettings(data=tmp_path))
        match, _ = new_match(MatchRequest("limes", (SeatRequest("person"),)), services.matches.bots.hosted)
        told: list[PreparedMessage] = []
        subscriber = Subscriber(FakeConnection(told.append), "somebody", services.limits)
        parser = MessageParser(services.limits, services.metrics, subscriber)
        parts = services.matches, services.messages, services.metrics
        handler = SocketHandler(*parts, LoadedMatch(match), subscriber, parser)
        assert [handler.receive('{"type":"ping"}') for _ in range(3)] == [0, 1, 2]
        assert len(told) == 1
        await handler.finish()
        assert len(told) == 3

    asyncio.run(scenario())


def test_after_its_close_frame_the_server_waits_a_moment_for_the_clients(address: str) -> None:
    hello, ping = b'{"type":"hello"}', b'{"type":"ping"}'
    with RawConnection(address) as visitor, RawConnection(address) as attacker:
        for each in (visitor, attacker):
            assert "101" in each.upgrade("/api/matches/nothing-here/live")
            each.send(each.frame(TEXT, hello))
            assert [kind for kind, _ in filter(None, (each.next_frame(), each.next_frame()))] == [TEXT, CLOSE]
        visitor.send(visitor.frame(TEXT, ping))  # it has crossed the goodbye
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
def test_what_is_no_message_ends_the_socket_with_the_code_for_it(ada: Client, sent: bytes, code: int) -> None:
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
def test_frames_that_break_the_protocol_together_raise_nothing(sent: bytes) -> None:
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


def test_a_client_that_answers_no_ping_is_disconnected_and_one_that_does_stays() -> None:
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
                for _ in range(2):  # so much time passes for the one who answers, too
                    assert await asyncio.to_thread(silent) == 1011
                await (await lively.ping())
            async with asyncio.timeout(60):
                while len(connections):  # nobody is forgotten
                    await asyncio.sleep(0.005)

    asyncio.run(scenario())
