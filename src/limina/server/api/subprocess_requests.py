"""Requests whose bodies go unparsed to a subprocess: records, physical games, files to render."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import Request
from starlette.requests import ClientDisconnect

from limina.isolated.protocol import Question
from limina.server.analysis import SubprocessPool


def _openapi_request_body(schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"content": {"application/json": {"schema": schema}}, "required": True}}


_JSON_VALUE = {"$ref": "#/components/schemas/JsonValue"}
RECORD_BODY = _openapi_request_body({"additionalProperties": _JSON_VALUE, "type": "object", "title": "Record"})
POSITION_BODY = _openapi_request_body({"$ref": "#/components/schemas/PositionRequest"})
EVALUATE_BODY = _openapi_request_body({"$ref": "#/components/schemas/EvaluateRequest"})
PRINT_BODY = _openapi_request_body({"$ref": "#/components/schemas/PrintRequest"})
PICTURE_BODY = _openapi_request_body({"$ref": "#/components/schemas/PictureRequest"})
COMPANION_BODY = _openapi_request_body({"$ref": "#/components/schemas/CompanionRequest"})


async def ask_about_body(request: Request, pool: SubprocessPool, question: Question) -> bytes:
    """Return the subprocess's answer to a question about the body of the request."""
    return await ask_connected(request, pool, question, await request.body())


async def ask_connected(request: Request, pool: SubprocessPool, question: Question, body: bytes) -> bytes:
    """Return the pool's answer. If the client disconnects, cancel the question and raise ClientDisconnect."""
    answer = asyncio.create_task(pool.ask(question, body))
    disconnect = asyncio.create_task(_wait_for_disconnect(request))
    try:
        await asyncio.wait((answer, disconnect), return_when=asyncio.FIRST_COMPLETED)
        if answer.done():
            return answer.result()
        raise ClientDisconnect
    finally:
        answer.cancel()
        disconnect.cancel()


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
