"""For whoever watches over the server: whether it lives, and whether it can do its work."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from limina.server.errors import RefusedError
from limina.server.web.routes import WRONG, answer
from limina.server.web.services import services_of

routes = APIRouter(prefix="/health", responses={503: WRONG[503]})


@routes.get("/live", response_model=dict[str, str])
async def live() -> Response:
    """Whether the server is there."""
    return answer({"status": "ok"})


@routes.get("/ready", response_model=dict[str, str])
async def ready(request: Request) -> Response:
    """Tell whether it can do its work: a write to the database works."""
    if not await services_of(request).readiness.ask():
        raise RefusedError("unavailable", "the database does not take writes", retry=5)
    return answer({"status": "ok"})
