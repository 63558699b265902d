"""HTTP for files that are made: sheets to print, pictures of records. Nothing of what was sent is stored."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from limina.server.web.rate_limits import client_of
from limina.server.web.reading import PICTURE_BODY, PRINT_BODY, made_of
from limina.server.web.routes import WRONG
from limina.server.web.services import services_of

routes = APIRouter(prefix="/api", responses=WRONG)
_KINDS = {
    b"%PDF": "application/pdf",
    b"\x89PNG": "image/png",
    b"GIF8": "image/gif",
    b"RIFF": "image/webp",
}


def _files(*types: str) -> dict[int | str, dict[str, Any]]:
    content = {each: {"schema": {"type": "string", "format": "binary"}} for each in types}
    return {200: {"description": "The file", "content": content}}


def _file(made: bytes) -> Response:
    """The file, by its first bytes; what is none of these is an SVG."""
    return Response(made, media_type=_KINDS.get(made[:4], "image/svg+xml"), headers={"Cache-Control": "private"})


@routes.post("/print", response_class=Response, responses=_files("application/pdf"), openapi_extra=PRINT_BODY)
async def sheets(request: Request) -> Response:
    """Sheets to cut a game out of, as PDF."""
    services_of(request).limits.take(client_of(request.scope), "picture")
    return _file(await made_of(request, "print"))


@routes.post(
    "/picture",
    response_class=Response,
    responses=_files("image/svg+xml", "image/png", "image/gif", "image/webp"),
    openapi_extra=PICTURE_BODY,
)
async def picture(request: Request) -> Response:
    """A picture of a record, or all of it as a moving picture."""
    services_of(request).limits.take(client_of(request.scope), "picture")
    return _file(await made_of(request, "picture"))
