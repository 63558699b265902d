"""The application: routes, sockets and page put together."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request

from limina import __version__
from limina.server.api import (
    companion_routes,
    deck_routes,
    file_routes,
    game_routes,
    health,
    match_routes,
    openapi,
    review_routes,
)
from limina.server.api.errors import add_error_handlers
from limina.server.live.socket_app import LiveSocketApp
from limina.server.network.asgi import Message, Receive, Send
from limina.server.network.middleware import SecurityMiddleware
from limina.server.page.static_files import PageFiles
from limina.server.services import Services
from limina.server.settings import ServerSettings

_LOG = logging.getLogger("limina.server")
_ROUTES = (match_routes, review_routes, companion_routes, file_routes, deck_routes, game_routes, health, openapi)
_API = re.compile("/(api|health)(/|$)")


class App:
    """The whole server as one ASGI application."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self.services = services = Services(settings)
        self.http = self._make_http()
        self._page = PageFiles(origin=next(iter(settings.origins), ""))
        network = services.limits, services.origins, services.metrics
        self._secured = SecurityMiddleware(self._answer, *network)
        self._sockets = LiveSocketApp(services.matches, services.messages, *network)
        self._warned = settings.trusted_proxies is not None
        self.failure: Exception | None = None
        """The exception that kept the application from starting."""

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Sockets go straight to their room: every layer between would be paid for with every turn."""
        if scope["type"] == "lifespan":
            await self.http(scope, receive, send)
            return
        if not self._warned:
            self._warn(scope)
        await (self._sockets if scope["type"] == "websocket" else self._secured)(scope, receive, send)

    async def _answer(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request: for the page here, because FastAPI's routing costs more than the file, else by FastAPI."""
        page = scope["method"] in ("GET", "HEAD") and not _API.match(scope["path"])
        await (self._page.respond(Request(scope)) if page else self.http)(scope, receive, send)

    def _warn(self, scope: Message) -> None:
        """Say once that a web server seems to stand before this one, which then takes all for one client."""
        if any(name in (b"x-forwarded-for", b"forwarded", b"x-real-ip") for name, _ in scope["headers"]):
            self._warned = True
            _LOG.warning(
                "requests come through a web server (they bring forwarded headers), and nobody is told apart: "
                "start with --proxy if it is yours"
            )

    @asynccontextmanager
    async def _lifespan(self, _: FastAPI) -> AsyncIterator[dict[str, Any]]:
        services = self.services
        try:
            self._settings.create_data_folder()
            await services.start()
        except Exception as error:
            self.failure = error
            raise
        watching = (
            asyncio.create_task(services.metrics.measure_event_loop_lag())
            if self._settings.metrics_address is not None
            else None
        )
        try:
            # What those who hold the connections have to know.
            yield {"connections": services.connections, "limits": services.limits}
        finally:
            if watching is not None:
                watching.cancel()
            await services.stop()

    def _make_http(self) -> FastAPI:
        """Build the application that answers the API and health checks."""
        app = FastAPI(
            title="limina",
            version=__version__,
            description="Matches of two board games about borders, for people and bots.",
            lifespan=self._lifespan,
            openapi_url=None,  # ours has more in it, at api/openapi.py
            separate_input_output_schemas=False,
        )
        app.state.services = self.services
        add_error_handlers(app)
        for routes in _ROUTES:
            app.include_router(routes.router)
        for route in app.routes:  # FastAPI prepares all of them when it first looks for one, while clients wait
            route.matches({"type": "http", "method": "GET", "path": "/", "root_path": "", "headers": []})
        return app
