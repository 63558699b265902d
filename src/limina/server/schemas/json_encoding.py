"""JSON of responses and socket messages, and messages for Pydantic's validation errors."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import orjson
from orjson import Fragment

from limina.core.validation import quote_truncated
from limina.server.errors import ErrorCode
from limina.server.schemas.matches import Error

__all__ = ["Fragment", "closing_response", "dump", "error_fields", "fragment", "validation_message"]
_OPTIONS = orjson.OPT_NON_STR_KEYS


def dump(value: Mapping[str, Any] | Sequence[Any]) -> bytes:
    """Return plain values as JSON."""
    try:
        return orjson.dumps(value, option=_OPTIONS)
    except TypeError:
        # A client's record may contain a lone surrogate or an integer of more than 64 bits, which orjson rejects.
        return json.dumps(value).encode()


def fragment(value: Mapping[str, Any]) -> Fragment:
    """Return plain values as JSON that can be embedded in several messages."""
    return Fragment(dump(value))


def error_fields(code: ErrorCode, message: str) -> dict[str, Any]:
    """Return the fields of an error."""
    return Error(error=message, code=code).model_dump()


def closing_response(status: int, code: ErrorCode, message: str) -> bytes:
    """Return an error as a complete HTTP response, after which the connection is closed.

    >>> closing_response(413, "too_large", "this is too large").split(b"\\r\\n")[0]
    b'HTTP/1.1 413 Request Entity Too Large'
    """
    body = dump(error_fields(code, message))
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: application/json\r\n"
        f"connection: close\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def validation_message(errors: Sequence[Mapping[str, Any]]) -> str:
    """Return a sentence about the first of Pydantic's errors: the place in the request, and what is wrong there."""
    first = errors[0]
    if first["type"] == "json_invalid":
        return "this is not JSON"
    if first["type"] in ("model_attributes_type", "model_type", "dict_type") and len(first["loc"]) <= 1:
        return "this must be a JSON object"
    path = [str(part) for part in first["loc"] if part not in ("body", "header", "path", "query")]
    location = quote_truncated(".".join(path[:6]), 80)[1:-1]
    message = str(first["msg"]).removeprefix("Value error, ")
    message = message[:1].lower() + message[1:200]
    return f"{location}: {message}" if location else message
