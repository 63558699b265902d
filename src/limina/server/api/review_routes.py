"""HTTP for reviews and hints. A review is a stream: one JSON object a line, each sent as soon as it is known."""

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


def lines_in(schema: str) -> dict[int | str, dict[str, Any]]:
    """What a stream is in the document: lines of this schema."""
    content = {"application/x-ndjson": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    return {200: {"description": "One object a line, as soon as it is known", "content": content}}


_CONFLICT = {"model": Error, "description": "The game is still running, or it is not this seat's turn"}
_LINES = lines_in("ReviewLine")

router = APIRouter(prefix="/api", responses={**ERROR_RESPONSES, 409: _CONFLICT}, dependencies=[ANALYSIS])


async def review_stream(reviews: Reviews, key: str, game: ReviewRequest) -> Response:
    """Return a response that sends the lines of a review as they come, for as long as the client listens."""
    await reviews.check(key, game)
    return StreamingResponse(reviews.stream(key, game), media_type="application/x-ndjson")


@router.get("/matches/{match_id}/review", response_class=StreamingResponse, responses=_LINES)
async def review(access: MatchAccess, reviews: ReviewsDep) -> Response:
    """Look back at a match that is over: what each turn was worth, what was better, and why."""
    match = access.match
    if not match.is_over:
        raise RefusedError("stale", "this game is still running: it can be reviewed once it is over")
    game = ReviewRequest.from_record(visibility.record(match, access.seats))
    # Where turns were taken back, it may have ended more than once, and each time it was another game.
    return await review_stream(reviews, _record_key(game) if match.taken_back else match.id, game)


@router.post("/review", response_class=StreamingResponse, responses=_LINES, openapi_extra=RECORD_BODY)
async def review_record(request: Request, records: RecordsDep, reviews: ReviewsDep) -> Response:
    """Look back at a record of a game that is over. The review is kept for whoever asks again, the record is not."""
    game = ReviewRequest.from_json(await ask_about_body(request, records, "review_request"))
    return await review_stream(reviews, _record_key(game), game)


def _record_key(game: ReviewRequest) -> str:
    """The same record asked for twice is reviewed once."""
    return "record " + hashlib.sha256(game.payload).hexdigest()


@router.post("/evaluate", response_model=EvaluateResponse, openapi_extra=EVALUATE_BODY)
async def evaluate(request: Request, records: RecordsDep) -> Response:
    """What another turn would have been worth in a record. Nothing is stored."""
    return json_response(await ask_about_body(request, records, "evaluate"))


@router.post("/matches/{match_id}/hint", response_model=HintResponse)
async def hint(access: MatchAccess, body: HintRequest, hints: HintsDep) -> Response:
    """What to play now, for whoever plays alone or against bots."""
    return json_response(await hints.request(access.match, access.seats, body.seat_index))
