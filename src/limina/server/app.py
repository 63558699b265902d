"""The application: store, authority, routes, sockets and page put together."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from limina import __version__
from limina.check import short
from limina.errors import LiminaError
from limina.server.guard import Guard
from limina.server.limits import Limits
from limina.server.live import Live, Receive, Send
from limina.server.openapi import describe
from limina.server.page import Page
from limina.server.play import Authority
from limina.server.play.guests import Guests
from limina.server.play.refusal import code_of
from limina.server.routes import routes
from limina.server.schemas import ErrorCode
from limina.server.settings import Settings
from limina.server.store import Store, url_of
from limina.server.study import Hints, Reviews
from limina.server.study_routes import routes as study_routes
from limina.server.wire import complaint, dump, error

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
        self._live = Live(Limits(settings.allowed))
        self.http = make_http(settings, self._live)
        self._guarded = Guard(self.http, self._live.limits)

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Sockets go straight to their room: every layer between would be paid for with every turn."""
        if scope["type"] == "websocket":
            await self._live(scope, receive, send)
        else:
            await self._guarded(scope, receive, send)


def make_http(settings: Settings, live: Live | None = None) -> FastAPI:
    """The part that answers HTTP; it opens the store when it starts."""
    live = live or Live(Limits(settings.allowed))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        try:
            settings.make_folder()
            store = await Store.open(url_of(settings))
        except Exception as error:
            app.state.failure = error  # for whoever started the server: a sentence, not a traceback
            raise
        pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="bot")
        app.state.store, app.state.limits = store, live.limits
        app.state.authority = live.authority = Authority(store, pool, Guests(settings.bots, settings.bot_seconds))
        app.state.reviews, app.state.hints = Reviews(store=store), Hints()
        try:
            yield
        finally:
            app.state.hints.stop()
            await app.state.reviews.stop()
            await app.state.authority.close()
            await store.close()
            pool.shutdown(wait=False, cancel_futures=True)

    app = FastAPI(
        title="limina",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        separate_input_output_schemas=False,
    )
    app.include_router(routes)
    app.include_router(study_routes)
    page = Page()

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
