"""HTTP for reviews and hints. A review is a stream: one JSON object a line, each sent as soon as it is known."""

from __future__ import annotations

import hashlib
from contextlib import ExitStack
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from limina.server.analysis.reviews import ReviewRequest
from limina.server.errors import RefusedError
from limina.server.matches import visibility
from limina.server.web.rate_limits import client_of
from limina.server.web.reading import RECORD_BODY, WORTH_BODY, read_record
from limina.server.web.routes import WRONG, Keys, answer, find_match
from limina.server.web.services import services_of
from limina.server.wire.review_schemas import HintAnswer, HintRequest, WorthAnswer
from limina.server.wire.schemas import Error, MatchId

_WRONG: dict[int | str, dict[str, Any]] = {
    **WRONG,
    409: {"model": Error, "description": "The game is still running, or it is not this seat's turn"},
}


def lines_in(schema: str) -> dict[int | str, dict[str, Any]]:
    """What a stream is in the document: lines of this schema."""
    content = {"application/x-ndjson": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    return {200: {"description": "One object a line, as soon as it is known", "content": content}}


_LINES = lines_in("ReviewLine")

routes = APIRouter(prefix="/api", responses=_WRONG)


async def stream(request: Request, key: str, game: ReviewRequest) -> Response:
    """The lines of a review, as they come, for as long as somebody listens."""
    services = services_of(request)
    reviews = services.reviews
    await reviews.check(key, game)
    held = ExitStack()
    held.enter_context(services.limits.hold("analysis", client_of(request.scope)))
    lines = reviews.watch(key, game)
    return _Stream(held, lines, media_type="application/x-ndjson", headers={"Cache-Control": "no-store"})


class _Stream(StreamingResponse):
    """A stream that holds something until its end, whichever way it comes."""

    def __init__(self, held: ExitStack, *content: Any, **how: Any) -> None:
        super().__init__(*content, **how)
        self._held = held

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        with self._held:
            await super().__call__(scope, receive, send)


@routes.get("/matches/{match}/review", response_class=StreamingResponse, responses=_LINES)
async def review(request: Request, match: MatchId, keys: Keys = "") -> Response:
    """Look back at a match that is over: what each turn was worth, what was better, and why."""
    loaded, mine = await find_match(request, match, keys)
    found = loaded.match
    if not found.over:
        raise RefusedError("stale", "this game is still running: it can be reviewed once it is over")
    game = ReviewRequest.of(visibility.record(found, mine))
    # Where turns were taken back, it may have ended more than once, and each time it was another game.
    return await stream(request, _record_key(game) if found.taken_back else found.id, game)


@routes.post("/review", response_class=StreamingResponse, responses=_LINES, openapi_extra=RECORD_BODY)
async def review_record(request: Request) -> Response:
    """Look back at a record of a game that is over. The review is kept for whoever asks again, the record is not."""
    game = ReviewRequest.read(await read_record(request, "game"))
    return await stream(request, _record_key(game), game)


def _record_key(game: ReviewRequest) -> str:
    """The same record asked for twice is reviewed once."""
    return "record " + hashlib.sha256(game.record).hexdigest()


@routes.post("/worth", response_model=WorthAnswer, openapi_extra=WORTH_BODY)
async def worth(request: Request) -> Response:
    """What another turn would have been worth in a record. Nothing is stored."""
    with services_of(request).limits.hold("analysis", client_of(request.scope)):
        return answer(await read_record(request, "worth"))


@routes.post("/matches/{match}/hint", response_model=HintAnswer)
async def hint(request: Request, match: MatchId, wanted: HintRequest, keys: Keys = "") -> Response:
    """What to play now, for whoever plays alone or against bots."""
    found, mine = await find_match(request, match, keys)
    services = services_of(request)
    with services.limits.hold("analysis", client_of(request.scope)):
        return answer(await services.hints.ask(found.match, mine, wanted.seat))
