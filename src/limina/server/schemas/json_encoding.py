"""JSON for the wire, and the sentence for what Pydantic finds wrong in it."""

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

__all__ = ["Fragment", "closing_response", "dump", "error", "fragment", "validation_message"]
_OPTIONS = orjson.OPT_NON_STR_KEYS


def dump(value: Mapping[str, Any] | Sequence[Any]) -> bytes:
    """Plain values as JSON."""
    try:
        return orjson.dumps(value, option=_OPTIONS)
    except TypeError:
        # A record that somebody sent may hold half a character or a huge number, and is sent back as it came.
        return json.dumps(value).encode()


def fragment(value: Mapping[str, Any]) -> Fragment:
    """Plain values as JSON that can be put into several messages."""
    return Fragment(dump(value))


def error(code: ErrorCode, sentence: str) -> dict[str, Any]:
    """An error as it is sent."""
    return Error(error=sentence, code=code).model_dump()


def closing_response(status: int, code: ErrorCode, sentence: str) -> bytes:
    """Return an error as a whole HTTP response after which the connection is closed.

    >>> closing_response(413, "too_large", "this is too large").split(b"\\r\\n")[0]
    b'HTTP/1.1 413 Request Entity Too Large'
    """
    body = dump(error(code, sentence))
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: application/json\r\n"
        f"connection: close\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def validation_message(errors: Sequence[Mapping[str, Any]]) -> str:
    """Return the first of Pydantic's errors as a sentence."""
    first = errors[0]
    if first["type"] == "json_invalid":
        return "this is not JSON"
    if first["type"] in ("model_attributes_type", "model_type", "dict_type") and len(first["loc"]) <= 1:
        return "this must be an object in JSON"
    where = [str(part) for part in first["loc"] if part not in ("body", "header", "path", "query")]
    place = quote_truncated(".".join(where[:6]), 80)[1:-1]
    said = str(first["msg"]).removeprefix("Value error, ")
    said = said[:1].lower() + said[1:200]
    return f"{place}: {said}" if place else said
