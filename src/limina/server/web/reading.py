"""Records that somebody wants to look at: their bytes go to a process that reads them, in nobody else's way."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import Request
from starlette.requests import ClientDisconnect

from limina.server.analysis.readers import Question, RecordReaders
from limina.server.web.services import services_of


def _body(schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"content": {"application/json": {"schema": schema}}, "required": True}}


_ANY = {"$ref": "#/components/schemas/JsonValue"}
RECORD_BODY = _body({"additionalProperties": _ANY, "type": "object", "title": "Record"})
VIEW_BODY = _body({"$ref": "#/components/schemas/ViewRequest"})
WORTH_BODY = _body({"$ref": "#/components/schemas/WorthRequest"})
PRINT_BODY = _body({"$ref": "#/components/schemas/PrintRequest"})
PICTURE_BODY = _body({"$ref": "#/components/schemas/PictureRequest"})
TABLE_BODY = _body({"$ref": "#/components/schemas/TableRequest"})


async def read_record(request: Request, question: Question) -> bytes:
    """What a reader says of the request's body, which goes on as it came: only the reader parses it."""
    return await ask_reader(request, question, await request.body())


async def made_of(request: Request, question: Question) -> bytes:
    """A file made of the request's body, or the one that was made of the same before."""
    makers, body = services_of(request).makers, await request.body()
    found = makers.known(question, body)
    if found is None:
        found = await ask_reader(request, question, body, makers.readers)
        makers.keep(question, body, found)
    return found


async def ask_reader(
    request: Request, question: Question, record: bytes, readers: RecordReaders | None = None
) -> bytes:
    """What a reader says of a record. It is asked no longer than somebody waits for the answer."""
    reading = asyncio.create_task((readers or services_of(request).readers).ask(question, record))
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
