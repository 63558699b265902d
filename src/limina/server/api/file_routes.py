"""HTTP for files that are made: sheets to print, pictures of records. Nothing of what was sent is stored."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from limina.isolated.protocol import RenderQuestion
from limina.server.analysis import Renders
from limina.server.api.deps import CountAct, RendersDep
from limina.server.api.responses import ERROR_RESPONSES
from limina.server.api.subprocess_requests import PICTURE_BODY, PRINT_BODY, ask_about_body

router = APIRouter(prefix="/api", responses=ERROR_RESPONSES)
_KINDS = {
    b"%PDF": "application/pdf",
    b"\x89PNG": "image/png",
    b"GIF8": "image/gif",
    b"RIFF": "image/webp",
}


def _files(*types: str) -> dict[int | str, dict[str, Any]]:
    content = {each: {"schema": {"type": "string", "format": "binary"}} for each in types}
    return {200: {"description": "The file", "content": content}}


async def _file(request: Request, renders: Renders, question: RenderQuestion) -> Response:
    """Return the file that the request's body describes."""
    content = await ask_about_body(request, renders, question)
    # The first bytes tell the type; SVG has no such mark.
    kind = _KINDS.get(content[:4], "image/svg+xml")
    return Response(content, media_type=kind, headers={"Cache-Control": "private"})


@router.post("/print", response_class=Response, responses=_files("application/pdf"), openapi_extra=PRINT_BODY)
async def sheets(request: Request, renders: RendersDep, count_act: CountAct) -> Response:
    """Sheets to cut a game out of, as PDF."""
    count_act("picture")
    return await _file(request, renders, "print")


@router.post(
    "/picture",
    response_class=Response,
    responses=_files("image/svg+xml", "image/png", "image/gif", "image/webp"),
    openapi_extra=PICTURE_BODY,
)
async def picture(request: Request, renders: RendersDep, count_act: CountAct) -> Response:
    """A picture of a record, or all of it as a moving picture."""
    count_act("picture")
    return await _file(request, renders, "picture")
