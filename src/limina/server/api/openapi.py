"""The OpenAPI document, extended by socket messages, stream lines and the types of each game."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from pydantic import TypeAdapter

from limina.core import registry
from limina.core.presenter import GenericPresenter, presenter_of
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
async def get_document(request: Request) -> Response:
    """Return the document."""
    # The first call takes too long for the event loop.
    return json_response(await asyncio.to_thread(_document_json, request.app))


@cache
def _document_json(app: FastAPI) -> bytes:
    """Return the document as JSON."""
    return dump(build_document(app))


def build_document(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document of an application."""
    schema = app.openapi()
    models: dict[str, Any] = schema["components"]["schemas"]
    models |= _message_schemas() | _body_schemas() | _view_schemas()
    for name in ("HTTPValidationError", "ValidationError"):
        models.pop(name, None)
    senders = {"client": "ClientMessage", "server": "ServerMessage"}
    references = {sender: {"$ref": _REFERENCE.format(model=model)} for sender, model in senders.items()}
    schema["x-websockets"] = {"/api/matches/{match_id}/live": references}
    document: dict[str, Any] = json.loads(json.dumps(schema), object_hook=_resolve_view)
    return document


def _message_schemas() -> dict[str, Any]:
    """Return the schemas of socket messages and of the lines of streams."""
    schemas, definitions = TypeAdapter.json_schemas(
        [
            ("ClientMessage", "validation", socket_messages.CLIENT_MESSAGE),
            ("ServerMessage", "serialization", socket_messages.SERVER_MESSAGE),
            ("ReviewLine", "serialization", REVIEW_LINE),
            ("TrialLine", "serialization", TRIAL_LINE),
        ],
        ref_template=_REFERENCE,
    )
    models: dict[str, Any] = definitions.get("$defs", {})
    return {str(name): schema for (name, _), schema in schemas.items()} | models


def _body_schemas() -> dict[str, Any]:
    """Return the schemas of bodies that only subprocesses parse, in FastAPI's form."""
    models: dict[str, Any] = {}
    for body in _ISOLATED_BODIES:
        schema = body.model_json_schema(ref_template=_REFERENCE)
        models |= schema.pop("$defs", {})
        for field in schema["properties"].values():
            if field.get("default", ...) is None:
                del field["default"]
        models[body.__name__] = schema
    return models


def _view_schemas() -> dict[str, Any]:
    """Return the schemas of the games' own types, and for each kind of type a union of those of all games."""
    models: dict[str, Any] = {}
    unions: dict[str, dict[str, Any]] = {}
    types = [presenter_of(game).types for game in registry.games()] + [GenericPresenter().types]
    types += [
        {"companion": game.companion_judge.result_type} for game in registry.games() if game.companion_judge is not None
    ]
    for kind, view_type in (item for game_types in types for item in game_types.items()):
        schema = TypeAdapter(view_type).json_schema(ref_template=_REFERENCE)
        models |= schema.pop("$defs", {})
        models[view_type.__name__] = schema
        reference = {"$ref": _REFERENCE.format(model=view_type.__name__)}
        unions.setdefault(kind, {})[view_type.__name__] = reference
    return models | {kind.capitalize(): {"anyOf": list(refs.values())} for kind, refs in unions.items()}


def _resolve_view(value: dict[str, Any]) -> dict[str, Any]:
    """Replace the schema of a game's own type by a reference to the union of those of all games."""
    if "x-view" not in value:
        return value
    title = {"title": value["title"]} if value.get("title") else {}
    return {"$ref": _REFERENCE.format(model=value["x-view"].capitalize()), **title}
