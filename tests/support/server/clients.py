"""Clients of a server over HTTP and over a socket. A socket keeps the state of the match as the page does."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from typing import Any

import httpx
from websockets.sync.client import connect

from limina.server.schemas.socket_messages import SERVER_MESSAGE
from support.games.turns import random_turn


class Client:
    """A client over HTTP with the seat tokens of its matches. It records everything that it receives."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.open = ExitStack()
        # Without TLS here, do not load the certificates: that takes longer than most requests.
        self.http = self.open.enter_context(httpx.Client(base_url=base, timeout=30, verify=False))
        self.seat_tokens: dict[str, list[str]] = {}
        self.received: list[str] = []

    def request(self, method: str, path: str, body: Any = None, seat_tokens: Iterable[str] = ()) -> httpx.Response:
        headers = {"Limina-Seat-Tokens": ",".join(seat_tokens)} if seat_tokens else {}
        answer = self.http.request(method, f"/api{path}", json=body, headers=headers)
        self.received.append(answer.text)
        return answer

    def call(self, method: str, path: str, body: Any = None, match_id: str = "", status: int = 200) -> Any:
        """Send a request, with the seat tokens of the match if one is named; check the status and return the JSON."""
        answer = self.request(method, path, body, self.seat_tokens.get(match_id, []))
        assert answer.status_code == status, answer.text
        return answer.json()

    def create(self, game: str, *seats: str, **options: Any) -> dict[str, Any]:
        """Create a match; seats are `me`, `open` or the name of a bot. Return its state."""
        kinds = {"me": {"kind": "person", "name": "Ada"}, "open": {"kind": "open"}}
        chosen = [kinds.get(seat, {"kind": "bot", "bot": seat}) for seat in seats]
        created = self.call("POST", "/matches", {"game": game, "seats": chosen, **options}, status=201)
        self.seat_tokens[created["state"]["match_id"]] = [held["seat_token"] for held in created["seat_tokens"]]
        state: dict[str, Any] = created["state"]
        return state

    def join(self, match_id: str, name: str = "Ben") -> dict[str, Any]:
        created = self.call("POST", f"/matches/{match_id}/join", {"name": name}, status=201)
        self.seat_tokens.setdefault(match_id, []).extend(held["seat_token"] for held in created["seat_tokens"])
        state: dict[str, Any] = created["state"]
        return state

    def state(self, match_id: str) -> dict[str, Any]:
        state: dict[str, Any] = self.call("GET", f"/matches/{match_id}", match_id=match_id)
        return state

    def play(self, state: dict[str, Any], seat_index: int, turn: str) -> None:
        """Play a turn in the position of this state."""
        match_id, turn_index = state["match_id"], state["seats"][seat_index]["turn_count"]
        key = f"{seat_index}-{turn_index}"
        body = {"idempotency_key": key, "seat_index": seat_index, "turn_index": turn_index, "turn": turn}
        self.call("POST", f"/matches/{match_id}/turns", body, match_id)

    def close(self) -> None:
        self.open.close()

    def live(self, match_id: str, **hello: Any) -> LiveSocket:
        return LiveSocket(self, match_id, **hello)


def apply_message(state: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    """Return the state after a message, as the page computes it."""
    match message["type"]:
        case "state":
            new_state: dict[str, Any] = message["state"]
            return new_state
        case "update":
            steps = state["steps"][: message["unchanged_steps"]] + message["steps"]
            fields = {name: message[name] for name in ("version", "phase", "to_move", "view", "outcome", "reveal")}
            moving = map(str, message["to_move"])
            legal = {seat: state["legal"][seat] for seat in moving if seat in state["legal"]}
            seats = [
                seat | {"turn_count": count} for seat, count in zip(state["seats"], message["turn_counts"], strict=True)
            ]
            return state | fields | {"steps": steps, "legal": legal | message["legal"], "seats": seats}
    return state


class LiveSocket:
    """A socket of a client with the state of its match."""

    def __init__(self, client: Client, match_id: str, *, legal: bool = True, version: int | None = None) -> None:
        self.client = client
        self.state: dict[str, Any] = {}
        address = client.base.replace("http", "ws") + f"/api/matches/{match_id}/live"
        self.socket = client.open.enter_context(connect(address, max_size=None))
        hello: dict[str, Any] = {"type": "hello", "seat_tokens": client.seat_tokens.get(match_id, []), "legal": legal}
        self.send(hello | ({} if version is None else {"version": version}))

    def send(self, message: dict[str, Any]) -> None:
        self.socket.send(json.dumps(message))

    def receive(self, timeout: float = 20) -> dict[str, Any]:
        """Receive a message, check it against the schema, apply it to the state, and return it."""
        text = self.socket.recv(timeout)
        assert isinstance(text, str)
        self.client.received.append(text)
        SERVER_MESSAGE.validate_json(text)
        message: dict[str, Any] = json.loads(text)
        self.state = apply_message(self.state, message)
        return message

    def until(self, *types: str) -> dict[str, Any]:
        """Receive until a message has one of these types; return it."""
        while True:
            message = self.receive()
            if message["type"] in types:
                return message

    def until_state(self, condition: Any) -> dict[str, Any]:
        """Receive until the condition holds for the state; return the state."""
        while not self.state or not condition(self.state):
            self.receive()
        return self.state

    def play(self, seat_index: int, turn: str, idempotency_key: str | None = None) -> dict[str, Any]:
        """Send a turn and receive until it is answered; return the answer."""
        turn_index = self.state["seats"][seat_index]["turn_count"]
        key = idempotency_key or f"{seat_index}-{turn_index}"
        turn_fields = {"seat_index": seat_index, "turn_index": turn_index, "turn": turn}
        self.send({"type": "turn", "idempotency_key": key, **turn_fields})
        while True:
            message = self.receive()
            if key in (message.get("idempotency_key"), message.get("request_id")):
                return message

    def play_until(self, condition: Callable[[dict[str, Any]], Any], rng: random.Random) -> dict[str, Any]:
        """Play random turns for the client's seats until the condition holds for the state; return the state."""
        self.until_state(lambda state: True)
        while not condition(self.state):
            mine = [seat for seat in self.state["to_move"] if seat in self.state["my_seats"]]
            if mine:
                answer = self.play(mine[0], random_turn(self.state, mine[0], rng))
                assert answer["type"] == "played", answer
            else:
                self.receive()
        return self.state

    def close(self) -> None:
        self.socket.close()


def send_request(address: str, path: str, body: Any = None, seat_tokens: Iterable[str] = ()) -> Any:
    """Send one request, POST if there is a body and GET otherwise; return the JSON of the answer."""
    with closing(Client(address)) as client:
        return client.request("GET" if body is None else "POST", path, body, seat_tokens).raise_for_status().json()
