"""The application: store, authority, routes, sockets and page put together."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from limina import __version__
from limina.check import short
from limina.errors import LiminaError
from limina.server.errors import ErrorCode, code_of
from limina.server.live.socket_app import LiveSocketApp
from limina.server.settings import Settings
from limina.server.web.asgi import Message, Receive, Send
from limina.server.web.deck_routes import routes as deck_routes
from limina.server.web.file_routes import routes as file_routes
from limina.server.web.health import routes as health_routes
from limina.server.web.middleware import SecurityMiddleware
from limina.server.web.openapi import describe
from limina.server.web.review_routes import routes as review_routes
from limina.server.web.routes import answer, routes
from limina.server.web.services import Services
from limina.server.web.static import PageFiles
from limina.server.web.table_routes import routes as table_routes
from limina.server.wire.encoding import complaint, dump, error

_LOG = logging.getLogger("limina.server")
_STATUS: dict[ErrorCode, int] = {
    "unreadable": 400,
    "illegal": 422,
    "stale": 409,
    "conflict": 409,
    "forbidden": 403,
    "private": 403,
    "not_found": 404,
    "too_large": 413,
    "too_many": 429,
    "unavailable": 503,
}
_API = re.compile("/(api|health)(/|$)")
_SAID: dict[int, tuple[ErrorCode, str]] = {
    404: ("not_found", "there is nothing at this address"),
    405: ("not_found", "this address does not answer to that method"),
    413: ("too_large", "this is too large"),
}


class App:
    """The whole server as one ASGI application."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._services = Services.of(settings)
        self._page = PageFiles(origin=next(iter(settings.origins), ""))
        self.http = _make_http(self._services, self._lifespan)
        self.metrics = self._services.metrics
        self._secured = SecurityMiddleware(self._answer, self._services)
        parts = self._services
        self._sockets = LiveSocketApp(parts.authority, parts.messages, parts.limits, parts.origins, parts.metrics)
        self._warned = settings.proxy is not None
        self.failure: Exception | None = None
        """What kept it from starting, for whoever started it: a sentence, not a traceback."""

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Sockets go straight to their room: every layer between would be paid for with every turn."""
        if not self._warned and scope["type"] != "lifespan":
            self._warn(scope)
        if scope["type"] == "websocket":
            await self._sockets(scope, receive, send)
        else:
            await self._secured(scope, receive, send)

    async def _answer(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request: for the page here, because FastAPI's routing costs more than the file, else by FastAPI."""
        if scope["type"] == "lifespan" or scope["method"] not in ("GET", "HEAD") or _API.match(scope["path"]):
            await self.http(scope, receive, send)
        else:
            await self._page.answer(Request(scope))(scope, receive, send)

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
        try:
            self._settings.make_folder()
            await self._services.start()
        except Exception as error:
            self.failure = error
            raise
        watching = asyncio.create_task(self.metrics.watch_loop()) if self._settings.metrics is not None else None
        try:
            # What those who hold the connections have to know.
            yield {"connections": self._services.connections, "limits": self._services.limits}
        finally:
            if watching is not None:
                watching.cancel()
            await self._services.stop()


def _make_http(
    services: Services, lifespan: Callable[[FastAPI], AbstractAsyncContextManager[dict[str, Any]]]
) -> FastAPI:
    """Build the application that answers the API and health checks."""
    app = FastAPI(
        title="limina",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        separate_input_output_schemas=False,
    )
    app.state.services = services
    app.include_router(routes)
    app.include_router(review_routes)
    app.include_router(table_routes)
    app.include_router(file_routes)
    app.include_router(deck_routes)
    app.include_router(health_routes)

    @app.get("/api/openapi.json", include_in_schema=False)
    async def document() -> Response:
        return answer(await asyncio.to_thread(_written, app))  # it takes a while, the first time

    app.add_exception_handler(LiminaError, _refused)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _not_here)
    app.add_exception_handler(ClientDisconnect, _gone)
    app.add_exception_handler(Exception, _failed)
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]  # FastAPI's own way to extend it
    _prepare_routes(app)
    return app


def _prepare_routes(app: FastAPI) -> None:
    """Look for a route before anybody does: FastAPI makes all of them then, while everybody waits."""
    for route in app.routes:
        route.matches({"type": "http", "method": "GET", "path": "/", "root_path": "", "headers": []})


@cache
def _written(app: FastAPI) -> bytes:
    """The document as it is sent, written once: it is large."""
    return dump(app.openapi())


async def _refused(request: Request, caught: Exception) -> Response:
    assert isinstance(caught, LiminaError)
    request.app.state.services.metrics.refused.labels(code_of(caught)).inc()
    retry = getattr(caught, "retry", None)
    headers = {"Retry-After": str(retry)} if retry is not None else None
    return _say(_STATUS[code_of(caught)], code_of(caught), str(caught), headers)


async def _unreadable(_: Request, caught: Exception) -> Response:
    assert isinstance(caught, RequestValidationError)
    return _say(422, "unreadable", complaint(caught.errors()))


async def _not_here(_: Request, caught: Exception) -> Response:
    assert isinstance(caught, HTTPException)
    code, said = _SAID.get(caught.status_code, ("unreadable", "this cannot be read"))
    return _say(caught.status_code, code, said, caught.headers)


async def _gone(_: Request, __: Exception) -> Response:
    # Nobody is there to read it; 499 is what others write into their logs for this.
    return Response(status_code=499)


async def _failed(request: Request, caught: Exception) -> Response:
    # No traceback to the outside, and nothing of the game in the log: only where to look.
    _LOG.error("%s %s failed", request.method, short(request.url.path), exc_info=caught)
    return _say(500, "unavailable", "something went wrong on the server: please try again")


def _say(status: int, code: ErrorCode, sentence: str, headers: Any = None) -> Response:
    return Response(dump(error(code, sentence)), status, headers, media_type="application/json")
