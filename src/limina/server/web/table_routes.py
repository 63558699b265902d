"""HTTP for whoever plays at a real table: what they have entered is judged, and nothing is stored."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from limina.server.web.rate_limits import client_of
from limina.server.web.reading import TABLE_BODY, read_record
from limina.server.web.routes import WRONG, answer
from limina.server.web.services import services_of
from limina.server.wire.record_schemas import TableAnswer
from limina.server.wire.review_schemas import AdviceAnswer

routes = APIRouter(prefix="/api", responses=WRONG)


@routes.post("/table", response_model=TableAnswer, openapi_extra=TABLE_BODY)
async def table(request: Request) -> Response:
    """What a real table is worth, as somebody has entered it. Nothing is stored."""
    return answer(await read_record(request, "table"))


@routes.post("/table/advice", response_model=AdviceAnswer, openapi_extra=TABLE_BODY)
async def advice(request: Request) -> Response:
    """What to play on a real table, as somebody has entered it."""
    with services_of(request).limits.hold("analysis", client_of(request.scope)):
        return answer(await read_record(request, "advice"))
