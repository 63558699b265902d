"""A server that knows nothing: it answers every turn with the bytes that ours has sent, to as many viewers.

    python -m bench.echo SCRIPT.json

uvicorn as it comes, with uvloop, httptools and websockets; what is more than its processor time is what limina does.
A script is a list of matches; each has what is said to a hello and, for every turn, what each viewer is told of it and
what whoever played it is answered. A match is asked for as `/api/matches/NUMBER-ANYTHING/live`.
"""

from __future__ import annotations

import json
import socket
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, TypedDict

import uvicorn

from limina.server.collector import tune_collector


class Script(TypedDict):
    """All that was said in a match."""

    states: list[str]
    """To each viewer who came."""
    turns: list[tuple[list[str], str]]
    """To each viewer, and then to the one who played."""


class Echo:
    """The application."""

    def __init__(self, scripts: list[Script]) -> None:
        self._scripts = scripts
        self._rooms: dict[str, list[Any]] = defaultdict(list)
        self._played: dict[str, int] = defaultdict(int)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one socket from its opening to its end."""
        if scope["type"] != "websocket":
            return
        await receive()
        await send({"type": "websocket.accept"})
        match = scope["path"].split("/")[3]
        script = self._scripts[int(match.partition("-")[0])]
        room = self._rooms[match]
        await receive()  # hello
        room.append(send)
        try:
            await send({"type": "websocket.send", "text": script["states"][len(room) - 1]})
            while (await receive())["type"] == "websocket.receive":
                updates, played = script["turns"][self._played[match]]
                self._played[match] += 1
                for viewer, update in zip(room, updates, strict=True):
                    await viewer({"type": "websocket.send", "text": update})
                await send({"type": "websocket.send", "text": played})
        finally:
            room.clear()


class _Server(uvicorn.Server):
    """Says when it is ready, and leaves the memory as alone as ours does."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        tune_collector()
        assert sockets is not None
        print(f"ready {sockets[0].getsockname()[1]}", flush=True)


def main() -> None:
    """Serve until told to stop."""
    app = Echo(json.loads(Path(sys.argv[1]).read_text()))
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http="httptools",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        lifespan="off",
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listening:
        _Server(config).run([listening])


if __name__ == "__main__":
    main()
