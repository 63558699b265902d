"""Serve an ASGI application with the server's HTTP and WebSocket protocols, in the event loop of the test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from limina.server.network.connections import Connections
from limina.server.network.http_protocol import HttpProtocol
from limina.server.network.rate_limits import RateLimits
from limina.server.network.socket_protocol import CONNECTION, SocketProtocol

App = Callable[[Any, Any, Any], Awaitable[None]]


@asynccontextmanager
async def serve_app(app: App, **options: Any) -> AsyncIterator[tuple[str, Connections]]:
    """Serve an application; yield its address and its open connections."""
    limits = RateLimits()
    connections = Connections(limits)

    async def with_budget(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            scope["state"][CONNECTION].byte_budget = limits.bucket("socket_byte", "localhost")
        await app(scope, receive, send)

    config = uvicorn.Config(
        with_budget,
        http=HttpProtocol,
        ws=SocketProtocol,
        ws_per_message_deflate=False,
        lifespan="off",
        log_level="critical",
        **options,
    )
    config.load()
    state = {"limits": limits, "connections": connections}
    make = partial(HttpProtocol, config=config, server_state=ServerState(), app_state=state)
    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", connections
    finally:
        server.close()
