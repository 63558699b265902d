"""Routes for physical games that players enter by hand. The server stores nothing of them."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from limina.server.api.deps import ANALYSIS, RecordsDep
from limina.server.api.responses import ERROR_RESPONSES, json_response
from limina.server.api.subprocess_requests import COMPANION_BODY, ask_about_body
from limina.server.schemas.records import CompanionResponse
from limina.server.schemas.reviews import CompanionHintResponse

router = APIRouter(prefix="/api/companion", responses=ERROR_RESPONSES)


@router.post("", response_model=CompanionResponse, openapi_extra=COMPANION_BODY)
async def companion_state(request: Request, records: RecordsDep) -> Response:
    """Evaluate a physical game that was entered by hand."""
    return json_response(await ask_about_body(request, records, "companion"))


@router.post("/hint", response_model=CompanionHintResponse, openapi_extra=COMPANION_BODY, dependencies=[ANALYSIS])
async def companion_hint(request: Request, records: RecordsDep) -> Response:
    """Return the turn that a strong bot would play in a physical game."""
    return json_response(await ask_about_body(request, records, "companion_hint"))
