"""A real server in a process of its own, and a client that keeps every byte it was sent."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import URL
from sqlalchemy import text as sql
from sqlalchemy.ext.asyncio import create_async_engine
from websockets.sync.client import connect

from limina import games
from limina.protocols import Step
from limina.server.wire.messages import SERVER_MESSAGE

RUN = "import sys; from limina.cli import main; sys.exit(main())"


@contextmanager
def server(data: Path, *arguments: str) -> Iterator[str]:
    """A running server; its address."""
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, "serve", "--port", "0", "--data", str(data), *arguments],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split()[-1].rstrip("/")
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)


class Client:
    """One person at one device."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.open = ExitStack()
        self.http = self.open.enter_context(httpx.Client(base_url=base, timeout=30))
        self.keys: dict[str, list[str]] = {}
        self.heard: list[str] = []

    def call(self, method: str, path: str, body: Any = None, match: str = "", status: int = 200) -> Any:
        headers = {"Limina-Keys": ",".join(self.keys.get(match, []))} if match else {}
        answer = self.http.request(method, f"/api{path}", json=body, headers=headers)
        self.heard.append(answer.text)
        assert answer.status_code == status, answer.text
        return answer.json()

    def create(self, game: str, *seats: str, **wanted: Any) -> dict[str, Any]:
        """Begin a match; seats are `me`, `open` or the name of a bot."""
        kinds = {"me": {"kind": "person", "name": "Ada"}, "open": {"kind": "open"}}
        chosen = [kinds.get(seat, {"kind": "bot", "bot": seat}) for seat in seats]
        created = self.call("POST", "/matches", {"game": game, "seats": chosen, **wanted}, status=201)
        self.keys[created["state"]["match"]] = [held["key"] for held in created["keys"]]
        state: dict[str, Any] = created["state"]
        return state

    def join(self, match: str, name: str = "Ben") -> dict[str, Any]:
        created = self.call("POST", f"/matches/{match}/join", {"name": name}, status=201)
        self.keys.setdefault(match, []).extend(held["key"] for held in created["keys"])
        state: dict[str, Any] = created["state"]
        return state

    def state(self, match: str) -> dict[str, Any]:
        state: dict[str, Any] = self.call("GET", f"/matches/{match}", match=match)
        return state

    def close(self) -> None:
        self.open.close()

    def live(self, match: str, **hello: Any) -> Live:
        return Live(self, match, **hello)


class Live:
    """A socket, with the state that a page would have of the match."""

    def __init__(self, client: Client, match: str, *, legal: bool = True, version: int | None = None) -> None:
        self.client = client
        self.state: dict[str, Any] = {}
        address = client.base.replace("http", "ws") + f"/api/matches/{match}/live"
        self.socket = client.open.enter_context(connect(address, max_size=None))
        hello: dict[str, Any] = {"type": "hello", "keys": client.keys.get(match, []), "legal": legal}
        self.send(hello | ({} if version is None else {"version": version}))

    def send(self, message: dict[str, Any]) -> None:
        self.socket.send(json.dumps(message))

    def receive(self, timeout: float = 20) -> dict[str, Any]:
        """The next message, checked against the schema and put into the state as a page would."""
        text = self.socket.recv(timeout)
        assert isinstance(text, str)
        self.client.heard.append(text)
        SERVER_MESSAGE.validate_json(text)
        message: dict[str, Any] = json.loads(text)
        match message["type"]:
            case "state":
                self.state = message["state"]
            case "update":
                steps = self.state["steps"][: message["first"]] + message["steps"]
                kept = {key: message[key] for key in ("version", "phase", "to_move", "view", "outcome", "reveal")}
                self.state |= kept | {"steps": steps, "legal": {}}
                for seat, turns in zip(self.state["seats"], message["turns"], strict=True):
                    seat["turns"] = turns
            case "legal":
                self.state["legal"][str(message["seat"])] = message["legal"]
        return message

    def until(self, *types: str) -> dict[str, Any]:
        while True:
            message = self.receive()
            if message["type"] in types:
                return message

    def until_state(self, wanted: Any) -> dict[str, Any]:
        """Receive until the state is as wanted."""
        while not self.state or not wanted(self.state):
            self.receive()
        return self.state

    def play(self, seat: int, turn: str, key: str | None = None) -> dict[str, Any]:
        number = self.state["seats"][seat]["turns"]
        key = key or f"{seat}-{number}"
        self.send({"type": "turn", "key": key, "seat": seat, "number": number, "turn": turn})
        while True:
            message = self.receive()
            if message["type"] in ("played", "refused") and message["key"] == key:
                return message

    def close(self) -> None:
        self.socket.close()


def any_turn(state: dict[str, Any], seat: int, chance: random.Random) -> str:
    """A legal turn, found by replaying what the server told."""
    game = games.game(state["game"])
    view = state["view"]
    data: dict[str, Any] = {"options": state["options"]}
    data |= {"deck": view["deck"]} if "deck" in view else {"layout": view["layout"]}
    position, _ = game.unpack(data, len(state["seats"]))
    for step in state["steps"]:
        position = position.replay(Step(step["player"], step["text"]))
    return str(chance.choice(position.legal_turns(seat)))


async def drop_tables(url: URL) -> None:
    """Leave a database as if no server had ever used it."""
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        for table in ("reviews", "steps", "seats", "matches", "alembic_version"):
            await connection.execute(sql(f"DROP TABLE IF EXISTS {table}"))
    await engine.dispose()
