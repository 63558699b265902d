"""Routes for monitoring."""

from __future__ import annotations

from fastapi import APIRouter, Response

from limina.server.api.deps import ReadinessDep
from limina.server.api.responses import ERROR_RESPONSES, json_response
from limina.server.errors import RefusedError

router = APIRouter()
_UNAVAILABLE: dict[int | str, dict[str, object]] = {503: ERROR_RESPONSES[503]}


@router.get("/api/health", response_model=dict[str, str], responses=ERROR_RESPONSES)
async def health() -> Response:
    """Report that the server runs."""
    return json_response({"status": "ok"})


@router.get("/health/live", response_model=dict[str, str], responses=_UNAVAILABLE)
async def live() -> Response:
    """Report that the server runs."""
    return json_response({"status": "ok"})


@router.get("/health/ready", response_model=dict[str, str], responses=_UNAVAILABLE)
async def ready(readiness: ReadinessDep) -> Response:
    """Report that the database accepts writes, or respond with 503."""
    if not await readiness.is_ready():
        raise RefusedError("unavailable", "the database does not accept writes", retry_after=5)
    return json_response({"status": "ok"})
