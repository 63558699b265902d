"""One document for everything on the wire: routes, socket messages, and what each game shows."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from pydantic import TypeAdapter

from limina.core import registry
from limina.core.presenter import PlainPresenter, presenter_of
from limina.server.api.responses import json_response
from limina.server.schemas import socket_messages
from limina.server.schemas.json_encoding import dump
from limina.server.schemas.records import CompanionRequest, PictureRequest, PositionRequest, PrintRequest
from limina.server.schemas.reviews import REVIEW_LINE, TRIAL_LINE, EvaluateRequest

_REFERENCE = "#/components/schemas/{model}"
_ISOLATED_BODIES = (PositionRequest, EvaluateRequest, CompanionRequest, PrintRequest, PictureRequest)
"""Request bodies that the routes pass on without parsing them."""

router = APIRouter(prefix="/api", include_in_schema=False)


@router.get("/openapi.json")
async def document(request: Request) -> Response:
    """Return the document."""
    return json_response(await asyncio.to_thread(_as_json, request.app))  # it takes a while, the first time


@cache
def _as_json(app: FastAPI) -> bytes:
    """Return the document as it is sent, written once: it is large."""
    return dump(describe(app))


def describe(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document of an application."""
    schema = app.openapi()
    known: dict[str, Any] = schema["components"]["schemas"]
    known |= _messages() | _bodies() | _views()
    for name in ("HTTPValidationError", "ValidationError"):
        known.pop(name, None)
    ends = {"client": "ClientMessage", "server": "ServerMessage"}
    references = {end: {"$ref": _REFERENCE.format(model=model)} for end, model in ends.items()}
    schema["x-websockets"] = {"/api/matches/{match_id}/live": references}
    described: dict[str, Any] = json.loads(json.dumps(schema), object_hook=_refer_to_view)
    return described


def _messages() -> dict[str, Any]:
    """Return the schemas of what is sent outside of responses: messages of sockets and lines of streams."""
    schemas, definitions = TypeAdapter.json_schemas(
        [
            ("ClientMessage", "validation", socket_messages.CLIENT_MESSAGE),
            ("ServerMessage", "serialization", socket_messages.SERVER_MESSAGE),
            ("ReviewLine", "serialization", REVIEW_LINE),
            ("TrialLine", "serialization", TRIAL_LINE),
        ],
        ref_template=_REFERENCE,
    )
    found: dict[str, Any] = definitions.get("$defs", {})
    return {str(name): schema for (name, _), schema in schemas.items()} | found


def _bodies() -> dict[str, Any]:
    """Return the schemas of bodies that only isolated processes parse, as FastAPI writes those of others."""
    found: dict[str, Any] = {}
    for body in _ISOLATED_BODIES:
        schema = body.model_json_schema(ref_template=_REFERENCE)
        found |= schema.pop("$defs", {})
        for field in schema["properties"].values():
            if field.get("default", ...) is None:
                del field["default"]
        found[body.__name__] = schema
    return found


def _views() -> dict[str, Any]:
    """Return the schemas of all that games show, and for each kind of it the choice between the games' own."""
    found: dict[str, Any] = {}
    choices: dict[str, dict[str, Any]] = {}
    types = [presenter_of(game).types for game in registry.games()] + [PlainPresenter().types]
    types += [
        {"companion": game.companion_judge.result_type} for game in registry.games() if game.companion_judge is not None
    ]
    for what, kind in (pair for each in types for pair in each.items()):
        schema = TypeAdapter(kind).json_schema(ref_template=_REFERENCE)
        found |= schema.pop("$defs", {})
        found[kind.__name__] = schema
        choices.setdefault(what, {})[kind.__name__] = {"$ref": _REFERENCE.format(model=kind.__name__)}
    return found | {what.capitalize(): {"anyOf": list(refs.values())} for what, refs in choices.items()}


def _refer_to_view(value: dict[str, Any]) -> dict[str, Any]:
    """Replace a schema that only names a kind of view by a reference to the choice between those of the games."""
    if "x-view" not in value:
        return value
    title = {"title": value["title"]} if value.get("title") else {}
    return {"$ref": _REFERENCE.format(model=value["x-view"].capitalize()), **title}
