"""Clients of a server: over HTTP, and over a socket with the state that a page would have of the match."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from typing import Any

import httpx
from websockets.sync.client import connect

from limina.server.wire.messages import SERVER_MESSAGE
from support.games.turns import random_turn


class Client:
    """One person at one device, who keeps every byte that was sent."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.open = ExitStack()
        # Nothing is encrypted here, and reading the certificates takes longer than most requests.
        self.http = self.open.enter_context(httpx.Client(base_url=base, timeout=30, verify=False))
        self.keys: dict[str, list[str]] = {}
        self.received: list[str] = []

    def request(self, method: str, path: str, body: Any = None, keys: Iterable[str] = ()) -> httpx.Response:
        headers = {"Limina-Keys": ",".join(keys)} if keys else {}
        answer = self.http.request(method, f"/api{path}", json=body, headers=headers)
        self.received.append(answer.text)
        return answer

    def call(self, method: str, path: str, body: Any = None, match: str = "", status: int = 200) -> Any:
        """What the server answers, to whoever has the keys of the match if one is named."""
        answer = self.request(method, path, body, self.keys.get(match, []))
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

    def play(self, state: dict[str, Any], seat: int, turn: str) -> None:
        """Play a turn for the moment that the state shows."""
        match, number = state["match"], state["seats"][seat]["turns"]
        body = {"key": f"{seat}-{number}", "seat": seat, "number": number, "turn": turn}
        self.call("POST", f"/matches/{match}/turns", body, match)

    def close(self) -> None:
        self.open.close()

    def live(self, match: str, **hello: Any) -> LiveSocket:
        return LiveSocket(self, match, **hello)


def apply_message(state: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    """The state that a page has of a match after a message of the server."""
    match message["type"]:
        case "state":
            found: dict[str, Any] = message["state"]
            return found
        case "update":
            steps = state["steps"][: message["first"]] + message["steps"]
            kept = {key: message[key] for key in ("version", "phase", "to_move", "view", "outcome", "reveal")}
            moving = map(str, message["to_move"])
            legal = {seat: state["legal"][seat] for seat in moving if seat in state["legal"]}
            seats = [seat | {"turns": turns} for seat, turns in zip(state["seats"], message["turns"], strict=True)]
            return state | kept | {"steps": steps, "legal": legal | message["legal"], "seats": seats}
    return state


class LiveSocket:
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
        self.client.received.append(text)
        SERVER_MESSAGE.validate_json(text)
        message: dict[str, Any] = json.loads(text)
        self.state = apply_message(self.state, message)
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

    def play_until(self, wanted: Callable[[dict[str, Any]], Any], chance: random.Random) -> dict[str, Any]:
        """Play any turns for our own seats until the state is as wanted."""
        self.until_state(lambda state: True)
        while not wanted(self.state):
            mine = [seat for seat in self.state["to_move"] if seat in self.state["mine"]]
            if mine:
                answer = self.play(mine[0], random_turn(self.state, mine[0], chance))
                assert answer["type"] == "played", answer
            else:
                self.receive()
        return self.state

    def close(self) -> None:
        self.socket.close()


def send_request(address: str, path: str, body: Any = None, keys: Iterable[str] = ()) -> Any:
    """Ask a server a single thing: GET, or POST where there is a body."""
    with closing(Client(address)) as client:
        return client.request("GET" if body is None else "POST", path, body, keys).raise_for_status().json()
