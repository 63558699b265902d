"""People at their tables: they play any legal turns, move between servers at will, come back and send again."""

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

from chaos.client_log import Told
from support.games.turns import random_turn
from support.server.clients import apply_message

_ANSWER_SECONDS = 4.0
"""How long somebody waits for the answer to a turn before they try elsewhere."""
_SILENCE_SECONDS = 8.0
"""After which somebody who is not to move looks whether they are still connected."""
_MOST_TAKEN_BACK = 6
"""In one match: it is to have an end."""
_LOST = (OSError, EOFError, TimeoutError, WebSocketException, httpx.HTTPError)
"""A connection was refused, cut or silent: come back."""


@dataclass
class World:
    """What all people know."""

    servers: Sequence[str]
    """The addresses at which they are reached."""
    folder: Path
    http: httpx.AsyncClient
    figures: Counter[str] = field(default_factory=Counter)
    restless: float = 0.02
    """How probable it is after each message that somebody moves to another server, or sends a turn to two."""
    regrets: float = 0.08
    """How probable it is after each message that somebody takes back a turn, where that may be."""


async def play_match(world: World, chance: Random, request: dict[str, Any] | None = None) -> str:
    """Begin a match, play it to its end with everybody who belongs to it, and write down what they were told."""
    request = request or _any_request(chance)
    created = await _begin(world, request, chance)
    match = created["state"]["match"]
    notes = Told(world.folder, match)
    try:
        notes.add("begun", "0", request=request)
        world.figures["matches"] += 1
        world.figures[f"matches of {request['game']}"] += 1
        world.figures["hidden matches"] += request["hidden"]
        keys = {held["seat"]: held["key"] for held in created["keys"]}
        viewers = [Viewer(world, notes, str(seat), key, chance) for seat, key in keys.items()]
        opened = [seat for seat, wanted in enumerate(request["seats"]) if wanted["kind"] == "open"]
        viewers += [Viewer(world, notes, str(seat), secrets.token_urlsafe(24), chance, joins=seat) for seat in opened]
        if chance.random() < 0.5:
            viewers.append(Viewer(world, notes, "watching", None, chance))
        await asyncio.gather(*(viewer.stay() for viewer in viewers))
        world.figures["matches over"] += 1
    finally:
        notes.keep()
    return str(match)


async def ask(world: World, match: str) -> None:
    """Ask every server how a match ended, as anybody could."""
    notes = Told(world.folder, match)
    for number, server in enumerate(world.servers):
        answer = await world.http.get(f"{server}/api/matches/{match}", timeout=60)
        notes.add("asked", "anybody", server=f"server {number}", status=answer.status_code, text=answer.text)
    notes.keep()


def _any_request(chance: Random) -> dict[str, Any]:
    """Both games, with people and bots at the table; people begin with a seat or take an open one."""
    limes = chance.random() < 0.4
    kinds = [chance.choice(("person", "bot", "bot", "open")) for _ in range(chance.choice((1, 1, 2)) if limes else 1)]
    kinds.insert(chance.randrange(len(kinds) + 1), "person")
    bots = ("novice", "novice", "novice", "casual", "random")
    return {
        "game": "limes" if limes else "limit",
        "seats": [{"kind": kind, **({"bot": chance.choice(bots)} if kind == "bot" else {})} for kind in kinds],
        "options": {} if limes else {"size": chance.choice((4, 4, 5, 6))},
        "hidden": limes and chance.random() < 0.6,
    }


async def _begin(world: World, request: dict[str, Any], chance: Random) -> dict[str, Any]:
    while True:
        with contextlib.suppress(*_LOST):
            answer = await world.http.post(f"{chance.choice(world.servers)}/api/matches", json=request)
            if answer.status_code == 201:
                created: dict[str, Any] = answer.json()
                return created
            if answer.status_code < 500:
                raise AssertionError(answer.text)
        await asyncio.sleep(0.3 * chance.random())


class Viewer:
    """One person with a seat and one device, or somebody who watches."""

    def __init__(
        self, world: World, notes: Told, who: str, key: str | None, chance: Random, joins: int | None = None
    ) -> None:
        self._world = world
        self._notes = notes
        self._who = who
        self._key = key
        # Of one's own, so that nobody's luck hangs on how fast others are.
        self._chance = Random(chance.random())
        self._joins = joins
        self._state: dict[str, Any] = {}
        self._open: dict[str, Any] | None = None
        """A turn that was sent and not answered."""
        self._regretted: dict[str, Any] | None = None
        """A turn that is to be taken back, as long as nobody has answered."""
        self._taken_back = 0
        self._aside: set[asyncio.Task[None]] = set()

    @property
    def _stays(self) -> bool:
        """Whether the game goes on, or something is not answered."""
        return self._state.get("phase") != "over" or self._open is not None or self._regretted is not None

    async def stay(self) -> None:
        """Play or watch until the game is over, and one's own last turn answered."""
        while self._joins is not None:
            await self._join(self._joins)
        while self._stays:
            server = self._chance.choice(self._world.servers)
            address = server.replace("http", "ws") + f"/api/matches/{self._notes.match}/live"
            try:
                async with connect(
                    address, max_size=None, compression=None, ping_interval=None, open_timeout=4, close_timeout=0.5
                ) as socket:
                    self._world.figures["sockets"] += 1
                    await self._at_table(socket, server)
            except _LOST:
                self._world.figures["connections lost"] += 1
                await asyncio.sleep(0.2 * self._chance.random())
        await asyncio.gather(*self._aside)

    async def _join(self, seat: int) -> None:
        server = self._chance.choice(self._world.servers)
        try:
            body = {"name": "guest", "seat": seat, "key": self._key}
            answer = await self._world.http.post(f"{server}/api/matches/{self._notes.match}/join", json=body)
        except _LOST:
            return
        if answer.status_code == 201:
            self._notes.add("seated", self._who, seat=seat)
            self._joins = None
        else:
            self._notes.add("answered", self._who, status=answer.status_code, text=answer.text)
            await asyncio.sleep(0.3 * self._chance.random())

    async def _at_table(self, socket: ClientConnection, server: str) -> None:
        keys = [self._key] if self._key is not None else []
        hello: dict[str, Any] = {"type": "hello", "keys": keys, "legal": False}
        if self._state and self._chance.random() < 0.7:
            hello["version"] = self._state["version"]
        self._notes.add("hello", self._who, server=server)
        await socket.send(json.dumps(hello))
        await self._hear(socket)
        sent = False
        self._regret()
        while self._stays:
            if self._regretted is not None:
                await self._take_back(socket, server)
            mine = [seat for seat in self._state["to_move"] if seat in self._state["mine"]]
            if self._open is None and mine:
                self._open = self._choose(mine[0])
                sent = await self._send(socket)
            elif self._open is not None and not sent:
                self._world.figures["turns sent again"] += 1
                sent = await self._send(socket)
            if self._stays:
                await self._hear(socket)
            self._regret()
            if self._chance.random() < self._world.restless:
                self._world.figures["moves to another server"] += 1
                return

    def _choose(self, seat: int) -> dict[str, Any]:
        number = self._state["seats"][seat]["turns"]
        turn = random_turn(self._state, seat, self._chance)
        key = f"{seat}-{number}-{self._taken_back}"
        return {"type": "turn", "key": key, "seat": seat, "number": number, "turn": turn}

    def _regret(self) -> None:
        """Perhaps want the last turn back, where nobody but bots could mind, and every turn is answered."""
        people = [seat for seat, each in enumerate(self._state["seats"]) if each["kind"] != "bot"]
        may = self._state["game"] == "limit" and people == self._state["mine"] and self._taken_back < _MOST_TAKEN_BACK
        if not may or self._open is not None or self._regretted is not None:
            return
        (seat,) = people
        turns = self._state["seats"][seat]["turns"]
        often = 4 if self._state["phase"] == "over" else 1  # whoever leaves then has regretted nothing
        if turns and self._chance.random() < often * self._world.regrets:
            self._regretted = {"seat": seat, "number": turns - 1, "version": self._state["version"]}

    async def _take_back(self, socket: ClientConnection, server: str) -> None:
        """Take back a turn, and see the game without it."""
        address = f"{server}/api/matches/{self._notes.match}/take-back"
        asked = self._regretted
        answer = await self._world.http.post(address, json=asked, headers={"Limina-Keys": self._key or ""})
        self._notes.add("took back", self._who, asked=asked, status=answer.status_code, text=answer.text)
        if answer.status_code != 200:
            raise EOFError("they are busy: try elsewhere")
        # Who is cut off before they have seen it asks again: they may believe that the game is over.
        while self._state["version"] < answer.json()["version"]:
            await self._hear(socket)
        self._world.figures["turns taken back"] += 1
        self._taken_back += 1
        self._regretted = None

    async def _send(self, socket: ClientConnection) -> bool:
        """Send the open turn here, and perhaps to another server at the same time."""
        assert self._open is not None
        self._notes.add("sent", self._who, turn=self._open)
        if self._chance.random() < self._world.restless:
            self._aside.add(asyncio.create_task(self._post(self._open)))
        await socket.send(json.dumps(self._open))
        return True

    async def _post(self, turn: dict[str, Any]) -> None:
        server = self._chance.choice(self._world.servers)
        body = {key: turn[key] for key in ("key", "seat", "number", "turn")}
        address = f"{server}/api/matches/{self._notes.match}/turns"
        with contextlib.suppress(*_LOST):
            answer = await self._world.http.post(address, json=body, headers={"Limina-Keys": self._key or ""})
            self._world.figures["turns sent to two servers"] += 1
            self._notes.add("answered", self._who, status=answer.status_code, text=answer.text)

    async def _hear(self, socket: ClientConnection) -> None:
        """Take the next message."""
        text = await asyncio.wait_for(socket.recv(), _SILENCE_SECONDS if self._open is None else _ANSWER_SECONDS)
        assert isinstance(text, str)
        self._notes.add("told", self._who, text=text)
        self._world.figures["messages"] += 1
        self._world.figures["bytes"] += len(text)
        message = json.loads(text)
        self._state = apply_message(self._state, message)
        if message["type"] == "played" and self._open is not None and message["key"] == self._open["key"]:
            self._world.figures["turns acknowledged"] += 1
            self._open = None
        if message["type"] == "refused":
            self._world.figures["refusals"] += 1
            raise EOFError("they are busy: try elsewhere")
