"""Records that somebody wants to look at: their bytes go to a process that reads them, in nobody else's way."""

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
TABLE_BODY = _body({"$ref": "#/components/schemas/TableRequest"})


async def read_record(request: Request, question: Question) -> bytes:
    """What a reader says of the request's body, which goes on as it came: only the reader parses it."""
    return await ask_reader(request, question, await request.body())


async def ask_reader(request: Request, question: Question, record: bytes) -> bytes:
    """What a reader says of a record. It is asked no longer than somebody waits for the answer."""
    reading = asyncio.create_task(services_of(request).readers.ask(question, record))
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
