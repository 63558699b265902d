"""Handlers that turn the exceptions of routes into error responses."""

from __future__ import annotations

import logging

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from limina.core.validation import quote_truncated
from limina.errors import LiminaError
from limina.server.api.responses import error_response
from limina.server.errors import ErrorCode, error_code
from limina.server.schemas.json_encoding import validation_message

_LOG = logging.getLogger("limina.server")
_STATUS_CODES: dict[ErrorCode, int] = {
    "invalid": 400,
    "illegal": 422,
    "stale": 409,
    "conflict": 409,
    "forbidden": 403,
    "private": 403,
    "not_found": 404,
    "too_large": 413,
    "rate_limited": 429,
    "unavailable": 503,
}
_ROUTING_ERRORS: dict[int, tuple[ErrorCode, str]] = {
    404: ("not_found", "there is nothing at this address"),
    405: ("not_found", "this address does not accept this method"),
    413: ("too_large", "this is too large"),
}


def add_error_handlers(app: FastAPI) -> None:
    """Respond to each exception of a route with an error as JSON."""

    @app.exception_handler(LiminaError)
    async def handle_limina_error(request: Request, caught: LiminaError) -> Response:
        code = error_code(caught)
        request.app.state.services.metrics.requests_refused.labels(code).inc()
        retry_after = getattr(caught, "retry_after", None)
        headers = None if retry_after is None else {"Retry-After": str(retry_after)}
        return error_response(_STATUS_CODES[code], code, str(caught), headers)

    @app.exception_handler(RequestValidationError)
    async def handle_validation_error(_: Request, caught: RequestValidationError) -> Response:
        return error_response(422, "invalid", validation_message(caught.errors()))

    @app.exception_handler(HTTPException)
    async def handle_http_exception(_: Request, caught: HTTPException) -> Response:
        code, message = _ROUTING_ERRORS.get(caught.status_code, ("invalid", "the server cannot read this request"))
        return error_response(caught.status_code, code, message, caught.headers)

    @app.exception_handler(ClientDisconnect)
    async def handle_disconnect(_: Request, __: ClientDisconnect) -> Response:
        return Response(status_code=499)  # nginx's status for a client that closed the connection

    @app.exception_handler(Exception)
    async def handle_failure(request: Request, caught: Exception) -> Response:
        # The response has no traceback, and the log nothing of the request but its path.
        _LOG.error("http: %s %s failed", request.method, quote_truncated(request.url.path), exc_info=caught)
        return error_response(500, "unavailable", "something went wrong on the server: please try again")
