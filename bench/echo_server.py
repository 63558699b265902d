"""A server that answers turns with the recorded messages of limina's server, to the same number of sockets.

    python -m bench.echo_server SCRIPTS.json

It is a plain uvicorn with uvloop, httptools and websockets, so the difference in processor time is limina's own work.
SCRIPTS.json is a list of matches with their recorded messages. The path of a socket is
`/api/matches/INDEX-ANYTHING/live`, where INDEX is the place of the match in the list.
"""

from __future__ import annotations

import json
import socket
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, TypedDict

import uvicorn

from limina.server.gc_tuning import tune_garbage_collector


class MatchScript(TypedDict):
    """The recorded messages of a match."""

    states: list[str]
    """The answer to each socket's `hello`."""
    turns: list[tuple[list[str], str]]
    """For each turn, the update for each socket and the answer to the socket that sent the turn."""


class EchoApp:
    """The ASGI application."""

    def __init__(self, scripts: list[MatchScript]) -> None:
        self._scripts = scripts
        self._sockets: dict[str, list[Any]] = defaultdict(list)
        self._turn_counts: dict[str, int] = defaultdict(int)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one socket."""
        if scope["type"] != "websocket":
            return
        await receive()
        await send({"type": "websocket.accept"})
        match_id = scope["path"].split("/")[3]
        script = self._scripts[int(match_id.partition("-")[0])]
        sockets = self._sockets[match_id]
        await receive()  # hello
        sockets.append(send)
        try:
            await send({"type": "websocket.send", "text": script["states"][len(sockets) - 1]})
            while (await receive())["type"] == "websocket.receive":
                updates, played = script["turns"][self._turn_counts[match_id]]
                self._turn_counts[match_id] += 1
                for send_to, update in zip(sockets, updates, strict=True):
                    await send_to({"type": "websocket.send", "text": update})
                await send({"type": "websocket.send", "text": played})
        finally:
            sockets.clear()


class _Server(uvicorn.Server):
    """Prints its port when it is ready, and tunes the garbage collector as limina does."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        tune_garbage_collector()
        assert sockets is not None
        print(f"ready {sockets[0].getsockname()[1]}", flush=True)


def main() -> None:
    """Serve until SIGTERM."""
    app = EchoApp(json.loads(Path(sys.argv[1]).read_text()))
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
