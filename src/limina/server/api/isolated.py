"""Questions about a request's body that isolated processes answer: only they parse it."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import Request
from starlette.requests import ClientDisconnect

from limina.server.analysis.readers import Question, RecordReaders


def _body(schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"content": {"application/json": {"schema": schema}}, "required": True}}


_ANY = {"$ref": "#/components/schemas/JsonValue"}
RECORD_BODY = _body({"additionalProperties": _ANY, "type": "object", "title": "Record"})
VIEW_BODY = _body({"$ref": "#/components/schemas/ViewRequest"})
WORTH_BODY = _body({"$ref": "#/components/schemas/WorthRequest"})
PRINT_BODY = _body({"$ref": "#/components/schemas/PrintRequest"})
PICTURE_BODY = _body({"$ref": "#/components/schemas/PictureRequest"})
TABLE_BODY = _body({"$ref": "#/components/schemas/TableRequest"})


async def ask_about_body(request: Request, readers: RecordReaders, question: Question) -> bytes:
    """Return the answer to a question about the request's body."""
    return await ask_isolated(request, readers, question, await request.body())


async def ask_isolated(request: Request, readers: RecordReaders, question: Question, content: bytes) -> bytes:
    """Return the answer to a question; raise ClientDisconnect, and ask no longer, when the client is gone."""
    reading = asyncio.create_task(readers.ask(question, content))
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
