"""The ASGI application: the API, the sockets and the page."""

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
_API_PATH = re.compile("/(api|health)(/|$)")


class App:
    """The server as one ASGI application."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self.services = services = Services(settings)
        self.http = self._make_http()
        self._page = PageFiles(origin=next(iter(settings.origins), ""))
        network = services.limits, services.origins, services.metrics
        self._secured = SecurityMiddleware(self._answer, *network)
        self._sockets = LiveSocketApp(services.matches, services.messages, *network)
        self._proxy_is_known = settings.trusted_proxies is not None
        self.failure: Exception | None = None
        """The exception that prevented the start."""

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handle a connection. Sockets bypass FastAPI and its middleware, which would cost time for every turn."""
        if scope["type"] == "lifespan":
            await self.http(scope, receive, send)
            return
        if not self._proxy_is_known:
            self._warn_about_proxy(scope)
        await (self._sockets if scope["type"] == "websocket" else self._secured)(scope, receive, send)

    async def _answer(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request. Files of the page bypass FastAPI, whose routing takes longer than reading the file."""
        is_page = scope["method"] in ("GET", "HEAD") and not _API_PATH.match(scope["path"])
        await (self._page.respond(Request(scope)) if is_page else self.http)(scope, receive, send)

    def _warn_about_proxy(self, scope: Message) -> None:
        """Log once that requests come through a proxy that is not configured, so that all count as one client."""
        if any(name in (b"x-forwarded-for", b"forwarded", b"x-real-ip") for name, _ in scope["headers"]):
            self._proxy_is_known = True
            _LOG.warning(
                "http: requests have forwarded headers of an unknown proxy, so they count as one client: "
                "start with --proxy if the proxy is yours"
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
        loop_watcher = (
            asyncio.create_task(services.metrics.measure_event_loop_lag())
            if self._settings.metrics_address is not None
            else None
        )
        try:
            # The state of the application, for the protocols of `network`.
            yield {"connections": services.connections, "limits": services.limits}
        finally:
            if loop_watcher is not None:
                loop_watcher.cancel()
            await services.stop()

    def _make_http(self) -> FastAPI:
        """Return the FastAPI application with all routes."""
        app = FastAPI(
            title="limina",
            version=__version__,
            description="Matches of two board games about borders, for people and bots.",
            lifespan=self._lifespan,
            openapi_url=None,  # api/openapi.py serves a more complete document
            separate_input_output_schemas=False,
        )
        app.state.services = self.services
        add_error_handlers(app)
        for routes in _ROUTES:
            app.include_router(routes.router)
        for route in app.routes:  # FastAPI prepares a route at its first match: not while a client waits
            route.matches({"type": "http", "method": "GET", "path": "/", "root_path": "", "headers": []})
        return app
