"""WebSockets to the letter: how they are opened, what comes in which parts, and how they end."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.asyncio.client import connect

from kit.clients import Client
from kit.connections import FakeConnection
from kit.raw import CLOSE, CONTINUATION, PING, TEXT, RawConnection
from limina.server.matches import MatchRequest, SeatRequest
from limina.server.matches.new_match import new_match
from limina.server.settings import Settings
from limina.server.web import socket_connection
from limina.server.web.connections import Connections
from limina.server.web.frames import whole_message
from limina.server.web.http_connection import HttpConnection
from limina.server.web.rate_limits import RateLimits
from limina.server.web.services import Services
from limina.server.web.sessions import Reader, Session
from limina.server.web.socket_connection import SocketConnection
from limina.server.web.viewers import Viewer

PONG, BINARY = 10, 2
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
VERSION = "Sec-WebSocket-Version: 13"


@pytest.mark.parametrize(
    ("line", "wishes", "status"),
    [
        ("GET {} HTTP/1.1", (KEY, VERSION), b"101"),
        ("POST {} HTTP/1.1", (KEY, VERSION), b"405"),
        ("GET {} HTTP/1.1", (KEY,), b"426"),
        ("GET {} HTTP/1.1", (KEY, "Sec-WebSocket-Version: 8"), b"426"),
        ("GET {} HTTP/1.1", (KEY, KEY, VERSION), b"400"),
        ("GET {} HTTP/1.1", (VERSION,), b"400"),
        ("GET {} HTTP/1.1", ("Sec-WebSocket-Key: short", VERSION), b"400"),
        ("GET http:// HTTP/1.1", (KEY, VERSION), b"400"),
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
    path = f"/api/matches/{ada.create('limes', 'me')['match']}/live"
    with RawConnection(ada.base) as visitor:
        visitor.send(visitor.head(line.format(path), "Upgrade: websocket", "Connection: Upgrade", *wishes))
        said = visitor.socket.recv(65536)
    assert said.startswith(b"HTTP/1.1 %b " % status)
    assert status in (b"101", b"403") or b'"error":' in said, "in a sentence"
    if status == b"101":  # the answer to this key in the protocol's own document
        assert b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in said


def test_messages_in_parts_and_between_other_frames_are_read_in_their_order(ada: Client) -> None:
    path = f"/api/matches/{ada.create('limes', 'me')['match']}/live"
    with RawConnection(ada.base) as visitor:
        assert "101" in visitor.upgrade(path)
        hello, ask = b'{"type":"hello"}', b'{"type":"legal","key":"%b","seat":0}'
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
        assert [message["key"] for message in messages[1:]] == ["one", "two", "three"]
        visitor.send(visitor.frame(CLOSE, (1000).to_bytes(2, "big")))
        assert visitor.close_code() == 1000


def test_what_is_said_while_a_turn_is_saved_is_answered_after_it(ada: Client) -> None:
    match = ada.create("limes", "me")["match"]
    table = ada.live(match)
    table.until("state")
    table.send({"type": "turn", "key": "first", "seat": 0, "number": 0, "turn": "d4r0"})
    table.send({"type": "ping"})
    table.send({"type": "turn", "key": "again", "seat": 0, "number": 0, "turn": "d4r0"})
    table.send({"type": "legal", "key": "then", "seat": 0})
    heard = [table.receive() for _ in range(5)]
    assert [(each["type"], each.get("key")) for each in heard] == [
        ("update", None),
        ("played", "first"),
        ("pong", None),
        ("refused", "again"),
        ("legal", "then"),
    ]


def test_whoever_says_much_with_the_hello_is_heard_on(ada: Client) -> None:
    path = f"/api/matches/{ada.create('limes', 'me')['match']}/live"
    with RawConnection(ada.base) as visitor:
        assert "101" in visitor.upgrade(path)
        hello, ping = visitor.frame(TEXT, b'{"type":"hello"}'), visitor.frame(TEXT, b'{"type":"ping"}')
        visitor.send(hello + 20 * ping)
        found = [visitor.next_frame() for _ in range(21)]
        assert found[1:] == 20 * [(TEXT, b'{"type":"pong"}')]
        visitor.send(ping)
        assert visitor.next_frame() == (TEXT, b'{"type":"pong"}')


def test_others_have_their_turn_between_messages_that_come_at_once(tmp_path: Path) -> None:
    async def story() -> None:
        services = Services.of(Settings(data=tmp_path))
        match, _ = new_match(MatchRequest("limes", (SeatRequest("person"),)), services.authority.bots.hosted)
        told: list[bytes] = []
        viewer = Viewer(FakeConnection(told.append), "somebody", services.limits)
        session = Session(services, match, viewer, Reader(services, viewer))
        assert [session.receive('{"type":"ping"}') for _ in range(3)] == [0, 1, 2]
        assert len(told) == 1
        await session.finish()
        assert len(told) == 3

    asyncio.run(story())


def test_a_frame_that_is_longer_than_it_says_at_first_is_not_taken_for_a_short_one() -> None:
    inside = b'{"type":"ping"}'.ljust(119)
    frame = bytes([0x81, 0xFF]) + len(inside).to_bytes(8, "big") + bytes(4) + inside
    assert whole_message(frame) is None


def test_whatever_comes_after_our_goodbye_is_counted_and_theirs_is_waited_for(address: str) -> None:
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
        assert attacker.next_frame() is None, "all of them were read"


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
    path = f"/api/matches/{ada.create('limes', 'me')['match']}/live"
    with RawConnection(ada.base) as visitor:
        assert "101" in visitor.upgrade(path)
        visitor.send(sent)
        assert visitor.close_code() == code


def test_whoever_answers_no_ping_is_gone_and_whoever_does_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_connection, "_PING_SECONDS", 0.5)
    limits = RateLimits()
    connections = Connections(limits)
    state = {"limits": limits, "connections": connections}

    async def stay(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass

    async def story() -> None:
        config = uvicorn.Config(stay, http=HttpConnection, ws=SocketConnection, lifespan="off", log_level="critical")
        config.load()
        make = partial(HttpConnection, config=config, server_state=ServerState(), app_state=state)
        serving = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
        address = f"127.0.0.1:{serving.sockets[0].getsockname()[1]}"

        def silent() -> int | None:
            with RawConnection(f"http://{address}") as visitor:
                assert "101" in visitor.upgrade("/")
                return visitor.close_code()

        async with connect(f"ws://{address}/") as lively:
            for _ in range(2):  # so much time passes for the one who answers, too
                assert await asyncio.to_thread(silent) == 1011
            await (await lively.ping())
        async with asyncio.timeout(60):
            while len(connections):  # nobody is forgotten
                await asyncio.sleep(0.005)
        serving.close()

    asyncio.run(story())
