"""HTTP for physical games: a position that was entered by hand is judged, and nothing is stored."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from limina.server.api.deps import ANALYSIS, RecordsDep
from limina.server.api.responses import ERROR_RESPONSES, json_response
from limina.server.api.subprocess_requests import COMPANION_BODY, ask_about_body
from limina.server.schemas.records import CompanionResponse
from limina.server.schemas.reviews import AdviceResponse

router = APIRouter(prefix="/api/companion", responses=ERROR_RESPONSES)


@router.post("", response_model=CompanionResponse, openapi_extra=COMPANION_BODY)
async def evaluate(request: Request, records: RecordsDep) -> Response:
    """What a real table is worth, as somebody has entered it. Nothing is stored."""
    return json_response(await ask_about_body(request, records, "companion"))


@router.post("/advice", response_model=AdviceResponse, openapi_extra=COMPANION_BODY, dependencies=[ANALYSIS])
async def advice(request: Request, records: RecordsDep) -> Response:
    """What to play on a real table, as somebody has entered it."""
    return json_response(await ask_about_body(request, records, "companion_hint"))
