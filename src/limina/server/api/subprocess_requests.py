"""Requests whose bodies go unparsed to a subprocess: records, real tables, files to render."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import Request
from starlette.requests import ClientDisconnect

from limina.isolated.protocol import Question
from limina.server.analysis import SubprocessPool


def _body(schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"content": {"application/json": {"schema": schema}}, "required": True}}


_ANY = {"$ref": "#/components/schemas/JsonValue"}
RECORD_BODY = _body({"additionalProperties": _ANY, "type": "object", "title": "Record"})
POSITION_BODY = _body({"$ref": "#/components/schemas/PositionRequest"})
EVALUATE_BODY = _body({"$ref": "#/components/schemas/EvaluateRequest"})
PRINT_BODY = _body({"$ref": "#/components/schemas/PrintRequest"})
PICTURE_BODY = _body({"$ref": "#/components/schemas/PictureRequest"})
COMPANION_BODY = _body({"$ref": "#/components/schemas/CompanionRequest"})


async def ask_about_body(request: Request, pool: SubprocessPool, question: Question) -> bytes:
    """Return the answer to a question about the request's body, which only the subprocess parses."""
    return await ask_connected(request, pool, question, await request.body())


async def ask_connected(request: Request, pool: SubprocessPool, question: Question, body: bytes) -> bytes:
    """Return the pool's answer, or raise ClientDisconnect and cancel the question when the client has gone."""
    asking = asyncio.create_task(pool.ask(question, body))
    leaving = asyncio.create_task(_left(request))
    try:
        await asyncio.wait((asking, leaving), return_when=asyncio.FIRST_COMPLETED)
        if asking.done():
            return asking.result()
        raise ClientDisconnect
    finally:
        asking.cancel()
        leaving.cancel()


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
