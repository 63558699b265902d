"""The application: store, authority, routes, sockets and page put together."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from limina import __version__
from limina.check import short
from limina.errors import LiminaError
from limina.server.errors import ErrorCode, code_of
from limina.server.settings import Settings
from limina.server.web.asgi import Message, Receive, Send
from limina.server.web.middleware import SecurityMiddleware
from limina.server.web.openapi import describe
from limina.server.web.review_routes import routes as review_routes
from limina.server.web.routes import routes
from limina.server.web.services import Services
from limina.server.web.sockets import Sockets
from limina.server.web.static import PageFiles
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
        self.http = _make_http(self._services, self._lifespan)
        self._secured = SecurityMiddleware(self.http, self._services.limits)
        self._sockets = Sockets(self._services.authority, self._services.limits, self._services.states)
        self.failure: Exception | None = None
        """What kept it from starting, for whoever started it: a sentence, not a traceback."""

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Sockets go straight to their room: every layer between would be paid for with every turn."""
        if scope["type"] == "websocket":
            await self._sockets(scope, receive, send)
        else:
            await self._secured(scope, receive, send)

    @asynccontextmanager
    async def _lifespan(self, _: FastAPI) -> AsyncIterator[dict[str, Any]]:
        try:
            self._settings.make_folder()
            await self._services.start()
        except Exception as error:
            self.failure = error
            raise
        try:
            # What those who hold the connections have to know.
            yield {"connections": self._services.connections, "limits": self._services.limits}
        finally:
            await self._services.stop()


def _make_http(
    services: Services, lifespan: Callable[[FastAPI], AbstractAsyncContextManager[dict[str, Any]]]
) -> FastAPI:
    """The part that answers HTTP."""
    app = FastAPI(
        title="limina",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        separate_input_output_schemas=False,
    )
    app.state.services = services
    app.include_router(routes)
    app.include_router(review_routes)
    page = PageFiles()

    @app.get("/{path:path}", include_in_schema=False)
    @app.head("/{path:path}", include_in_schema=False)
    async def anything_else(request: Request) -> Response:
        if request.url.path == "/api" or request.url.path.startswith("/api/"):
            raise HTTPException(404)
        return page.answer(request)

    app.add_exception_handler(LiminaError, _refused)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _not_here)
    app.add_exception_handler(Exception, _failed)
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]  # FastAPI's own way to extend it
    return app


async def _refused(_: Request, caught: Exception) -> Response:
    assert isinstance(caught, LiminaError)
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


async def _failed(request: Request, caught: Exception) -> Response:
    # No traceback to the outside, and nothing of the game in the log: only where to look.
    trace = caught.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "?"
    _LOG.error("%s %s failed: %s at %s", request.method, short(request.url.path), type(caught).__name__, where)
    return _say(500, "unavailable", "something went wrong on the server: please try again")


def _say(status: int, code: ErrorCode, sentence: str, headers: Any = None) -> Response:
    return Response(dump(error(code, sentence)), status, headers, media_type="application/json")
