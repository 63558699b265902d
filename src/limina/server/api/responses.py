"""JSON responses, and the error responses in the OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import Response

from limina.server.errors import ErrorCode
from limina.server.schemas.json_encoding import dump, error_fields
from limina.server.schemas.matches import Error

ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": Error, "description": description}
    for status, description in {
        400: "The request or its turn is malformed",
        403: "The seat is not yours, or only players can see the match",
        404: "There is no such match, seat, game or deck",
        409: "The request is for another moment of the match, or the seat is taken",
        413: "The request is too large or takes too long",
        422: "The request is malformed, or the rules do not allow it",
        429: "There are too many requests: `Retry-After` has the seconds to wait",
        503: "The server could not save or compute the result: try again",
    }.items()
}
"""Error responses of a route, by status."""


def json_response(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return plain values, or bytes of JSON, as a response. The middleware adds `Cache-Control: no-store`."""
    content = value if isinstance(value, bytes) else dump(value)
    return Response(content, status, headers, media_type="application/json")


def error_response(status: int, code: ErrorCode, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return an error as a response."""
    return json_response(error_fields(code, message), status, headers)
