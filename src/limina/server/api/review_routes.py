"""Routes for reviews, evaluations and hints. A review is a stream of JSON lines."""

from __future__ import annotations

import hashlib
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from limina.server.analysis import Reviews
from limina.server.analysis.reviews import ReviewRequest
from limina.server.api.deps import ANALYSIS, HintsDep, MatchAccess, RecordsDep, ReviewsDep
from limina.server.api.responses import ERROR_RESPONSES, json_response
from limina.server.api.subprocess_requests import EVALUATE_BODY, RECORD_BODY, ask_about_body
from limina.server.errors import RefusedError
from limina.server.matches import visibility
from limina.server.schemas.matches import Error
from limina.server.schemas.reviews import EvaluateResponse, HintRequest, HintResponse


def stream_of(schema: str) -> dict[int | str, dict[str, Any]]:
    """Return the response of a stream, whose lines have this schema, for the OpenAPI document."""
    content = {"application/x-ndjson": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    return {200: {"description": "JSON lines, each sent as soon as it is known", "content": content}}


_CONFLICT = {"model": Error, "description": "The game is still running, or it is not this seat's turn"}
_LINES = stream_of("ReviewLine")

router = APIRouter(prefix="/api", responses={**ERROR_RESPONSES, 409: _CONFLICT}, dependencies=[ANALYSIS])


async def review_stream(reviews: Reviews, review_id: str, request: ReviewRequest) -> Response:
    """Return a response that streams a review until its end or until the client disconnects."""
    await reviews.check(review_id, request)
    return StreamingResponse(reviews.stream(review_id, request), media_type="application/x-ndjson")


@router.get("/matches/{match_id}/review", response_class=StreamingResponse, responses=_LINES)
async def review_match(access: MatchAccess, reviews: ReviewsDep) -> Response:
    """Review a match that is over: the value of each turn, better turns, and reasons."""
    match = access.match
    if not match.is_over:
        raise RefusedError("stale", "this game is still running: it can be reviewed once it is over")
    request = ReviewRequest.from_record(visibility.record(match, access.seats))
    # After a take-back a match can end again as another game, so its id does not identify the review.
    return await review_stream(reviews, _record_review_id(request) if match.take_back_count else match.id, request)


@router.post("/review", response_class=StreamingResponse, responses=_LINES, openapi_extra=RECORD_BODY)
async def review_record(request: Request, records: RecordsDep, reviews: ReviewsDep) -> Response:
    """Review a record of a game that is over. The server stores the review, and the record until the review ends."""
    review_request = ReviewRequest.from_json(await ask_about_body(request, records, "review_request"))
    return await review_stream(reviews, _record_review_id(review_request), review_request)


def _record_review_id(request: ReviewRequest) -> str:
    """Return an id that is the same for the same record."""
    return "record " + hashlib.sha256(request.payload).hexdigest()


@router.post("/evaluate", response_model=EvaluateResponse, openapi_extra=EVALUATE_BODY)
async def evaluate_turn(request: Request, records: RecordsDep) -> Response:
    """Evaluate another turn at a position of a record. The server stores nothing."""
    return json_response(await ask_about_body(request, records, "evaluate"))


@router.post("/matches/{match_id}/hint", response_model=HintResponse)
async def request_hint(access: MatchAccess, body: HintRequest, hints: HintsDep) -> Response:
    """Return the turn that a strong bot would play. Allowed only if every other seat is a bot's."""
    return json_response(await hints.request(access.match, access.seats, body.seat_index))
