"""Simulated players, who play random turns, switch servers, reconnect and send unanswered turns again."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from chaos.client_log import ClientLog
from support.games.turns import random_turn
from support.server.clients import apply_message

_ANSWER_TIMEOUT_SECONDS = 4.0
"""The time after which a player whose turn is not answered reconnects."""
_SILENCE_TIMEOUT_SECONDS = 8.0
"""The time after which a player without an unanswered turn reconnects, because no message came."""
_MAX_TAKE_BACKS = 6
"""Take-backs of one player in one match, so that every match comes to an end."""
_CONNECTION_ERRORS = (OSError, EOFError, TimeoutError, WebSocketException, httpx.HTTPError)
"""A connection was refused, cut or silent: the player reconnects."""


@dataclass
class Simulation:
    """The state that all simulated players share."""

    servers: Sequence[str]
    """The addresses of the servers."""
    folder: Path
    """The folder of the client logs."""
    http: httpx.AsyncClient
    figures: Counter[str] = field(default_factory=Counter)
    switch_probability: float = 0.02
    """Per message: the probability that a player switches servers. Per turn: that it is sent to two servers."""
    take_back_probability: float = 0.08
    """Per message: the probability that a player who may take back a turn does so."""


async def play_match(simulation: Simulation, rng: Random, request: dict[str, Any] | None = None) -> str:
    """Create a match, play it to its end with a client for each person, and log what the clients send and receive."""
    request = request or _random_request(rng)
    created = await _create(simulation, request, rng)
    match_id = created["state"]["match_id"]
    log = ClientLog(simulation.folder, match_id)
    try:
        log.add("created", "0", request=request)
        simulation.figures["matches"] += 1
        simulation.figures[f"matches of {request['game']}"] += 1
        simulation.figures["hidden matches"] += request["hidden_turns"]
        tokens = {held["seat_index"]: held["seat_token"] for held in created["seat_tokens"]}
        clients = [SimulatedClient(simulation, log, str(seat), token, rng) for seat, token in tokens.items()]
        clients += [
            SimulatedClient(simulation, log, str(seat_index), secrets.token_urlsafe(24), rng, seat_to_join=seat_index)
            for seat_index, seat in enumerate(request["seats"])
            if seat["kind"] == "open"
        ]
        if rng.random() < 0.5:
            clients.append(SimulatedClient(simulation, log, "spectator", None, rng))
        await asyncio.gather(*(client.run() for client in clients))
        simulation.figures["matches over"] += 1
    finally:
        log.save()
    return str(match_id)


async def log_final_states(simulation: Simulation, match_id: str) -> None:
    """Ask every server for the state of a match, without a seat token, and log the answers."""
    log = ClientLog(simulation.folder, match_id)
    for index, server in enumerate(simulation.servers):
        answer = await simulation.http.get(f"{server}/api/matches/{match_id}", timeout=60)
        log.add("final_state", "checker", server=f"server {index}", status=answer.status_code, text=answer.text)
    log.save()


def _random_request(rng: Random) -> dict[str, Any]:
    """Return the body for a new match of either game, with at least one person and perhaps bots and open seats."""
    limes = rng.random() < 0.4
    kinds = [rng.choice(("person", "bot", "bot", "open")) for _ in range(rng.choice((1, 1, 2)) if limes else 1)]
    kinds.insert(rng.randrange(len(kinds) + 1), "person")
    bots = ("novice", "novice", "novice", "casual", "random")
    return {
        "game": "limes" if limes else "limit",
        "seats": [{"kind": kind, **({"bot": rng.choice(bots)} if kind == "bot" else {})} for kind in kinds],
        "options": {} if limes else {"size": rng.choice((4, 4, 5, 6))},
        "hidden_turns": limes and rng.random() < 0.6,
    }


async def _create(simulation: Simulation, request: dict[str, Any], rng: Random) -> dict[str, Any]:
    while True:
        with contextlib.suppress(*_CONNECTION_ERRORS):
            answer = await simulation.http.post(f"{rng.choice(simulation.servers)}/api/matches", json=request)
            if answer.status_code == 201:
                created: dict[str, Any] = answer.json()
                return created
            if answer.status_code < 500:
                raise AssertionError(answer.text)
        await asyncio.sleep(0.3 * rng.random())


class SimulatedClient:
    """A person with one seat, or a spectator."""

    def __init__(
        self,
        simulation: Simulation,
        log: ClientLog,
        name: str,
        token: str | None,
        rng: Random,
        seat_to_join: int | None = None,
    ) -> None:
        self._simulation = simulation
        self._log = log
        self._name = name
        self._token = token
        # Each client draws from its own generator, so that its choices do not depend on the speed of the others.
        self._rng = Random(rng.random())
        self._seat_to_join = seat_to_join
        self._state: dict[str, Any] = {}
        self._unanswered_turn: dict[str, Any] | None = None
        self._unanswered_take_back: dict[str, Any] | None = None
        self._take_backs = 0
        self._headers = {"Limina-Seat-Tokens": token or ""}
        self._posts: set[asyncio.Task[None]] = set()
        """Turns on their way to a second server."""

    @property
    def _is_active(self) -> bool:
        """True until the game is over and every request of this client is answered."""
        return (
            self._state.get("phase") != "over"
            or self._unanswered_turn is not None
            or self._unanswered_take_back is not None
        )

    async def run(self) -> None:
        """Join, if this client has to, and play or watch until the end of the match."""
        while self._seat_to_join is not None:
            await self._join(self._seat_to_join)
        while self._is_active:
            server = self._rng.choice(self._simulation.servers)
            address = server.replace("http", "ws") + f"/api/matches/{self._log.match_id}/live"
            try:
                async with connect(
                    address, max_size=None, compression=None, ping_interval=None, open_timeout=4, close_timeout=0.5
                ) as socket:
                    self._simulation.figures["sockets"] += 1
                    await self._use_socket(socket, server)
            except _CONNECTION_ERRORS:
                self._simulation.figures["connections lost"] += 1
                await asyncio.sleep(0.2 * self._rng.random())
        await asyncio.gather(*self._posts)

    async def _join(self, seat_index: int) -> None:
        server = self._rng.choice(self._simulation.servers)
        try:
            body = {"name": "guest", "seat_index": seat_index, "seat_token": self._token}
            answer = await self._simulation.http.post(f"{server}/api/matches/{self._log.match_id}/join", json=body)
        except _CONNECTION_ERRORS:
            return
        if answer.status_code == 201:
            self._log.add("joined", self._name, seat=seat_index)
            self._seat_to_join = None
        else:
            self._log.add("answered", self._name, status=answer.status_code, text=answer.text)
            await asyncio.sleep(0.3 * self._rng.random())

    async def _use_socket(self, socket: ClientConnection, server: str) -> None:
        """Play over this socket until the match ends or the client switches to another server."""
        tokens = [self._token] if self._token is not None else []
        hello: dict[str, Any] = {"type": "hello", "seat_tokens": tokens, "legal": False}
        if self._state and self._rng.random() < 0.7:
            hello["version"] = self._state["version"]
        self._log.add("hello", self._name, server=server)
        await socket.send(json.dumps(hello))
        await self._receive(socket)
        sent = False
        self._maybe_want_take_back()
        while self._is_active:
            if self._unanswered_take_back is not None:
                await self._take_back(socket, server)
            own = [seat for seat in self._state["to_move"] if seat in self._state["my_seats"]]
            if self._unanswered_turn is None and own:
                self._unanswered_turn = self._choose(own[0])
                sent = await self._send(socket)
            elif self._unanswered_turn is not None and not sent:
                self._simulation.figures["turns sent again"] += 1
                sent = await self._send(socket)
            if self._is_active:
                await self._receive(socket)
            self._maybe_want_take_back()
            if self._rng.random() < self._simulation.switch_probability:
                self._simulation.figures["moves to another server"] += 1
                return

    def _choose(self, seat_index: int) -> dict[str, Any]:
        """Return the message that plays a random turn."""
        turn_index = self._state["seats"][seat_index]["turn_count"]
        turn = random_turn(self._state, seat_index, self._rng)
        key = f"{seat_index}-{turn_index}-{self._take_backs}"
        return {
            "type": "turn",
            "idempotency_key": key,
            "seat_index": seat_index,
            "turn_index": turn_index,
            "turn": turn,
        }

    def _maybe_want_take_back(self) -> None:
        """Decide at random to take back the last turn, if that is allowed and no request is unanswered."""
        people = [index for index, seat in enumerate(self._state["seats"]) if seat["kind"] != "bot"]
        allowed = (
            self._state["game"] == "limit" and people == self._state["my_seats"] and self._take_backs < _MAX_TAKE_BACKS
        )
        if not allowed or self._unanswered_turn is not None or self._unanswered_take_back is not None:
            return
        (seat_index,) = people
        turns = self._state["seats"][seat_index]["turn_count"]
        factor = 4 if self._state["phase"] == "over" else 1  # the last chance: without a take-back the client leaves
        if turns and self._rng.random() < factor * self._simulation.take_back_probability:
            self._unanswered_take_back = {
                "seat_index": seat_index,
                "turn_index": turns - 1,
                "version": self._state["version"],
            }

    async def _take_back(self, socket: ClientConnection, server: str) -> None:
        """Take back a turn, and receive until the state no longer has it."""
        address = f"{server}/api/matches/{self._log.match_id}/take-back"
        request = self._unanswered_take_back
        answer = await self._simulation.http.post(
            address, json=request, headers={"Limina-Seat-Tokens": self._token or ""}
        )
        self._log.add("took_back", self._name, request=request, status=answer.status_code, text=answer.text)
        if answer.status_code != 200:
            raise EOFError("the server is busy: reconnect")
        # If the connection is lost before the update comes, the request stays unanswered and is sent again. Otherwise
        # a client whose state is still over would leave.
        while self._state["version"] < answer.json()["version"]:
            await self._receive(socket)
        self._simulation.figures["turns taken back"] += 1
        self._take_backs += 1
        self._unanswered_take_back = None

    async def _send(self, socket: ClientConnection) -> bool:
        """Send the unanswered turn over the socket, and at random over HTTP to another server at the same time."""
        assert self._unanswered_turn is not None
        self._log.add("sent", self._name, turn=self._unanswered_turn)
        if self._rng.random() < self._simulation.switch_probability:
            self._posts.add(asyncio.create_task(self._post(self._unanswered_turn)))
        await socket.send(json.dumps(self._unanswered_turn))
        return True

    async def _post(self, turn: dict[str, Any]) -> None:
        server = self._rng.choice(self._simulation.servers)
        body = {name: turn[name] for name in ("idempotency_key", "seat_index", "turn_index", "turn")}
        address = f"{server}/api/matches/{self._log.match_id}/turns"
        with contextlib.suppress(*_CONNECTION_ERRORS):
            answer = await self._simulation.http.post(
                address, json=body, headers={"Limina-Seat-Tokens": self._token or ""}
            )
            self._simulation.figures["turns sent to two servers"] += 1
            self._log.add("answered", self._name, status=answer.status_code, text=answer.text)

    async def _receive(self, socket: ClientConnection) -> None:
        """Receive the next message and apply it to the state."""
        timeout = _SILENCE_TIMEOUT_SECONDS if self._unanswered_turn is None else _ANSWER_TIMEOUT_SECONDS
        text = await asyncio.wait_for(socket.recv(), timeout)
        assert isinstance(text, str)
        self._log.add("received", self._name, text=text)
        self._simulation.figures["messages"] += 1
        self._simulation.figures["bytes"] += len(text)
        message = json.loads(text)
        self._state = apply_message(self._state, message)
        turn = self._unanswered_turn
        if message["type"] == "played" and turn is not None and message["idempotency_key"] == turn["idempotency_key"]:
            self._simulation.figures["turns acknowledged"] += 1
            self._unanswered_turn = None
        if message["type"] == "refused":
            self._simulation.figures["refusals"] += 1
            raise EOFError("the server is busy: reconnect")
