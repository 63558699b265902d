"""JSON responses, and the errors that routes document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import Response

from limina.server.errors import ErrorCode
from limina.server.schemas.json_encoding import dump, error
from limina.server.schemas.matches import Error

ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": Error, "description": description}
    for status, description in {
        400: "The request cannot be read, or the turn in it",
        403: "The seat is not yours, or the game is for its players alone",
        404: "There is no such game or seat",
        409: "Too late, or taken",
        413: "Too large",
        422: "The request, or the turn, is not allowed",
        429: "Too much at once: `Retry-After` says when to try again",
        503: "It could not be saved: try again",
    }.items()
}
"""What a route may answer instead of its result, for the OpenAPI document."""


def json_response(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return plain values as a response, or bytes that are JSON already. The middleware forbids caches to store it."""
    content = value if isinstance(value, bytes) else dump(value)
    return Response(content, status, headers, media_type="application/json")


def error_response(status: int, code: ErrorCode, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return an error as a response."""
    return json_response(error(code, sentence), status, headers)
