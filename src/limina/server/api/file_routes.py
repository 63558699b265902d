"""Routes that render files: sheets to print and pictures of records. The server stores nothing of the requests."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from limina.isolated.protocol import RenderQuestion
from limina.server.analysis import Renders
from limina.server.api.deps import RateLimitDep, RendersDep
from limina.server.api.responses import ERROR_RESPONSES
from limina.server.api.subprocess_requests import PICTURE_BODY, PRINT_BODY, ask_about_body

router = APIRouter(prefix="/api", responses=ERROR_RESPONSES)
_MEDIA_TYPES = {  # by the first bytes of a file; SVG has no such signature
    b"%PDF": "application/pdf",
    b"\x89PNG": "image/png",
    b"GIF8": "image/gif",
    b"RIFF": "image/webp",
}


def _file_responses(*media_types: str) -> dict[int | str, dict[str, Any]]:
    content = {media_type: {"schema": {"type": "string", "format": "binary"}} for media_type in media_types}
    return {200: {"description": "The file", "content": content}}


async def _render(request: Request, renders: Renders, question: RenderQuestion) -> Response:
    """Respond with the file that the body describes."""
    content = await ask_about_body(request, renders, question)
    media_type = _MEDIA_TYPES.get(content[:4], "image/svg+xml")
    return Response(content, media_type=media_type, headers={"Cache-Control": "private"})


@router.post("/print", response_class=Response, responses=_file_responses("application/pdf"), openapi_extra=PRINT_BODY)
async def print_sheets(request: Request, renders: RendersDep, rate_limit: RateLimitDep) -> Response:
    """Render the sheets to cut a game out of as a PDF."""
    rate_limit("picture")
    return await _render(request, renders, "print")


@router.post(
    "/picture",
    response_class=Response,
    responses=_file_responses("image/svg+xml", "image/png", "image/gif", "image/webp"),
    openapi_extra=PICTURE_BODY,
)
async def draw_picture(request: Request, renders: RendersDep, rate_limit: RateLimitDep) -> Response:
    """Render a picture of a record, or an animation of the whole game."""
    rate_limit("picture")
    return await _render(request, renders, "picture")
