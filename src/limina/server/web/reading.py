"""Records that come in a request: their bytes go on as they came, and only the process that reads them parses them."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import Request
from starlette.requests import ClientDisconnect

from limina.server.analysis.readers import Question
from limina.server.web.services import services_of


def _body(schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"content": {"application/json": {"schema": schema}}, "required": True}}


_ANY = {"$ref": "#/components/schemas/JsonValue"}
RECORD_BODY = _body({"additionalProperties": _ANY, "type": "object", "title": "Record"})
VIEW_BODY = _body({"$ref": "#/components/schemas/ViewRequest"})


async def read_record(request: Request, question: Question) -> bytes:
    """What a reader says of the request's body. It is asked no longer than somebody waits for the answer."""
    body = await request.body()
    reading = asyncio.create_task(services_of(request).readers.ask(question, body))
    leaving = asyncio.create_task(_left(request))
    try:
        await asyncio.wait((reading, leaving), return_when=asyncio.FIRST_COMPLETED)
        if reading.done():
            return reading.result()
        raise ClientDisconnect
    finally:
        reading.cancel()
        leaving.cancel()


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
