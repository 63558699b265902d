"""One document for everything on the wire: routes, socket messages, and what each game shows."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from limina import games
from limina.presenter import PlainPresenter, presenter_of
from limina.server.wire import messages
from limina.server.wire.record_schemas import PictureRequest, PrintRequest, TableRequest, ViewRequest
from limina.server.wire.review_schemas import REVIEW_LINE, TRIAL_LINE, WorthRequest

_REFERENCE = "#/components/schemas/{model}"
_READ_ELSEWHERE = (ViewRequest, WorthRequest, TableRequest, PrintRequest, PictureRequest)
"""Bodies that go on as they came, so that their routes do not say what is in them."""


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, made once."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title,
            version=app.version,
            routes=app.routes,
            description="Matches of two board games about borders, for people and bots.",
            separate_input_output_schemas=False,
        )
        known: dict[str, Any] = document["components"]["schemas"]
        known |= _messages() | _bodies()
        for name in ("HTTPValidationError", "ValidationError"):
            known.pop(name, None)
        _put_views(document, known)
        document["x-websockets"] = {
            "/api/matches/{match}/live": {
                "client": {"$ref": _REFERENCE.format(model="ClientMessage")},
                "server": {"$ref": _REFERENCE.format(model="ServerMessage")},
            }
        }
        app.openapi_schema = document
    return app.openapi_schema


def _messages() -> dict[str, Any]:
    """The socket messages under the names of their classes."""
    schemas_of, definitions = TypeAdapter.json_schemas(
        [
            ("ClientMessage", "validation", messages.CLIENT_MESSAGE),
            ("ServerMessage", "serialization", messages.SERVER_MESSAGE),
            ("ReviewLine", "serialization", REVIEW_LINE),
            ("TrialLine", "serialization", TRIAL_LINE),
            *((each.__name__, "validation", TypeAdapter(each)) for each in _READ_ELSEWHERE),
        ],
        ref_template=_REFERENCE,
    )
    named = {str(name): schema for (name, _), schema in schemas_of.items()}
    found: dict[str, Any] = definitions.get("$defs", {})
    for each in _READ_ELSEWHERE:
        for part in found[each.__name__]["properties"].values():  # may be left out, as in all bodies of requests
            part.pop("default", None)
    return {**named, **found}  # what is named after its own class is a mere reference to it


def _bodies() -> dict[str, Any]:
    """What is read beside the event loop and so not known from the routes; said as FastAPI says it of others."""
    found: dict[str, Any] = {}
    for each in _READ_ELSEWHERE:
        schema = each.model_json_schema(ref_template=_REFERENCE)
        found |= schema.pop("$defs", {})
        for field in schema["properties"].values():
            if "default" in field and field["default"] is None:
                del field["default"]
        found[each.__name__] = schema
    return found


def _put_views(document: dict[str, Any], known: dict[str, Any]) -> None:
    """Say of every view that it is one of the games' own."""
    choices: dict[str, list[dict[str, str]]] = {}
    types = [presenter_of(game).types for game in games.games()] + [PlainPresenter().types]
    types += [{"table": game.table_judge.kind} for game in games.games() if game.table_judge is not None]
    for what, kind in (pair for each in types for pair in each.items()):
        schema = TypeAdapter(kind).json_schema(ref_template=_REFERENCE)
        known |= schema.pop("$defs", {})
        known[kind.__name__] = schema
        reference = {"$ref": _REFERENCE.format(model=kind.__name__)}
        if reference not in choices.setdefault(what, []):
            choices[what].append(reference)
    for what, refs in choices.items():
        known[what.capitalize()] = {"anyOf": refs}
    _replace(document)


def _replace(value: Any) -> None:
    if isinstance(value, dict):
        what = value.get("x-view")
        if what is not None:
            title = value.get("title")
            value.clear()
            value["$ref"] = _REFERENCE.format(model=what.capitalize())
            if title:
                value["title"] = title
        for part in value.values():
            _replace(part)
    elif isinstance(value, list):
        for part in value:
            _replace(part)
