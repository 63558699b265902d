"""HTTP for monitoring: whether the server lives, and whether it can do its work."""

from __future__ import annotations

from fastapi import APIRouter, Response

from limina.server.api.deps import ReadinessDep
from limina.server.api.responses import ERROR_RESPONSES, json_response
from limina.server.errors import RefusedError

router = APIRouter()
_UNAVAILABLE: dict[int | str, dict[str, object]] = {503: ERROR_RESPONSES[503]}


@router.get("/api/health", response_model=dict[str, str], responses=ERROR_RESPONSES)
async def health() -> Response:
    """Whether the server is there."""
    return json_response({"status": "ok"})


@router.get("/health/live", response_model=dict[str, str], responses=_UNAVAILABLE)
async def live() -> Response:
    """Whether the server is there."""
    return json_response({"status": "ok"})


@router.get("/health/ready", response_model=dict[str, str], responses=_UNAVAILABLE)
async def ready(readiness: ReadinessDep) -> Response:
    """Tell whether it can do its work: a write to the database works."""
    if not await readiness.is_ready():
        raise RefusedError("unavailable", "the database does not take writes", retry_after=5)
    return json_response({"status": "ok"})
