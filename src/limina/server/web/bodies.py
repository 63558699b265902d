"""Bodies that hold a record. They may be large, so they are read beside the event loop and not by FastAPI."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from limina.check import an_object
from limina.errors import UnreadableError
from limina.record import Record, parse
from limina.server.wire.encoding import complaint
from limina.server.wire.schemas import MOST_SEATS, ViewRequest


def _described(schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"content": {"application/json": {"schema": schema}}, "required": True}}


RECORD_BODY = _described(
    {
        "additionalProperties": {"$ref": "#/components/schemas/JsonValue"},
        "title": "Record",
        "type": "object",
    }
)
"""What the document says of such a body: FastAPI knows only bodies that it reads itself."""
VIEW_BODY = _described({"$ref": "#/components/schemas/ViewRequest"})


def read_record(body: bytes) -> Record:
    """The record that was sent."""
    return _record(_object(body))


def read_view(body: bytes) -> tuple[Record, int | None, str | None]:
    """The record that was sent, with a player and a turn if they are named."""
    data = _object(body)
    try:
        # The record is looked at below, and by those who know more of records.
        wanted = ViewRequest.model_validate({**data, "record": {}} if "record" in data else data)
    except ValidationError as wrong:
        raise UnreadableError(complaint(wrong.errors(include_url=False, include_context=False))) from None
    return _record(an_object(data["record"], "record")), wanted.player, wanted.turn


def _object(body: bytes) -> dict[str, Any]:
    try:
        data = parse(body)
    except UnreadableError as error:
        raise UnreadableError(str(error).replace("it ", "this ", 1)) from None
    if not isinstance(data, dict):
        raise UnreadableError("this must be an object in JSON")
    return data


def _record(data: Mapping[str, Any]) -> Record:
    players = data.get("players")
    if isinstance(players, list) and len(players) > MOST_SEATS:
        raise UnreadableError(f"this page shows games of up to {MOST_SEATS} players, not {len(players)}")
    return Record.from_json(data)
