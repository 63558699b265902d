"""HTTP for matches and records: each route asks the match service and answers with JSON, without rules or SQL."""

from __future__ import annotations

import asyncio
import time

from fastapi import APIRouter, Request, Response
from pydantic import JsonValue

from limina.server.api.deps import CountAct, CurrentActor, MatchAccess, MatchesDep, MessagesDep, MetricsDep, RecordsDep
from limina.server.api.responses import ERROR_RESPONSES, json_response
from limina.server.api.subprocess_requests import RECORD_BODY, VIEW_BODY, ask_about_body, ask_connected
from limina.server.live.messages import MessageBuilder, played
from limina.server.matches import Match, MatchRequest, SeatRequest, visibility
from limina.server.schemas import matches as schemas
from limina.server.schemas.json_encoding import Fragment, dump, fragment
from limina.server.schemas.matches import MOST_KEYS, MatchId
from limina.server.schemas.records import Replay, ViewAnswer

router = APIRouter(prefix="/api", responses=ERROR_RESPONSES)


@router.post("/matches", response_model=schemas.Created, status_code=201)
async def create(body: schemas.NewMatch, matches: MatchesDep, messages: MessagesDep, count_act: CountAct) -> Response:
    """Begin a match. A person's seats are yours: one at your screen for each."""
    count_act("match_this_minute", "match_this_hour")
    seats = [SeatRequest(seat.kind, seat.name, seat.bot) for seat in body.seats]
    wish = MatchRequest(body.game, seats, body.options, body.hidden, body.spectators, body.shuffle)
    loaded, keys = await matches.create(wish)
    return _created(messages, loaded.match, keys)


def _created(messages: MessageBuilder, match: Match, keys: dict[int, str]) -> Response:
    held = [{"seat": seat, "key": key} for seat, key in keys.items()]
    return json_response({"keys": held, "state": Fragment(messages.state(match, tuple(keys)))}, 201)


@router.get("/matches/{match}", response_model=schemas.MatchState)
async def state(access: MatchAccess, messages: MessagesDep) -> Response:
    """All that you may know of a match."""
    return json_response(messages.state(access.match, access.seats))


@router.post("/matches/{match}/join", response_model=schemas.Created, status_code=201)
async def join(match: MatchId, body: schemas.Join, matches: MatchesDep, messages: MessagesDep) -> Response:
    """Take an open seat."""
    loaded = await matches.get(match)
    seat, key = await matches.join(loaded, body.name, body.seat, body.key)
    return _created(messages, loaded.match, {seat: key})


@router.post("/matches/{match}/fill", response_model=schemas.MatchState)
async def fill(access: MatchAccess, body: schemas.Fill, matches: MatchesDep, messages: MessagesDep) -> Response:
    """Let a bot take an open seat."""
    await matches.add_bot(*access, body.seat, body.bot)
    return json_response(messages.state(access.match, access.seats))


@router.post("/matches/{match}/turns", response_model=schemas.TurnPlayed)
async def play(access: MatchAccess, body: schemas.Turn, matches: MatchesDep, metrics: MetricsDep) -> Response:
    """Play a turn. It is saved when the answer comes; sent again with the same key it is not played again."""
    begun = time.monotonic()
    turn = await matches.submit_turn(*access, body.seat, body.number, body.turn, body.key)
    metrics.count_turn(time.monotonic() - begun)
    return json_response(played(body.key, turn))


@router.post("/matches/{match}/take-back", response_model=schemas.MatchState)
async def take_back(
    access: MatchAccess, body: schemas.TakeBack, matches: MatchesDep, messages: MessagesDep
) -> Response:
    """Take back your last turn and the bots' answers, in a game that hides nothing and against bots only."""
    await matches.take_back(*access, body.seat, body.number, body.version)
    return json_response(messages.state(access.match, access.seats))


@router.post("/matches/{match}/preview", response_model=schemas.PreviewAnswer)
async def preview(access: MatchAccess, body: schemas.PreviewRequest) -> Response:
    """See what a turn of yours, or its first part, would lead to. Nothing is stored."""
    version, shown = access.match.version, visibility.preview(access.match, access.seats, body.seat, body.turn)
    return json_response({"version": version, "preview": shown})


@router.post("/matches/{match}/rematch", response_model=schemas.MatchState, status_code=201)
async def rematch(
    access: MatchAccess, actor: CurrentActor, matches: MatchesDep, messages: MessagesDep, count_act: CountAct
) -> Response:
    """Begin the same once more. The keys of the old match fit the new one; asked twice, it is the same match."""
    count_act("match_this_minute", "match_this_hour")
    fresh = (await matches.rematch(*access)).match
    return json_response(messages.state(fresh, fresh.seats_of(actor.seat_tokens)), 201)


@router.get("/matches/{match}/record", response_model=dict[str, JsonValue])
async def record(access: MatchAccess) -> Response:
    """The record as a file; of a running game without anything that is hidden from you."""
    match = access.match
    attachment = f'attachment; filename="{match.game.name}-{match.id}.json"'
    return json_response(visibility.record(match, access.seats).to_json(), headers={"Content-Disposition": attachment})


@router.get("/matches/{match}/replay", response_model=Replay)
async def replay(access: MatchAccess, request: Request, records: RecordsDep) -> Response:
    """Every position of a match so far."""
    record = dump(visibility.record(access.match, access.seats).to_json())
    return json_response(await ask_connected(request, records, "replay", record))


@router.post("/mine", response_model=list[schemas.MatchSummary])
async def mine(body: schemas.Mine, matches: MatchesDep) -> Response:
    """The matches in which these keys have seats, latest first."""
    summaries = []
    for match, seats, latest in await matches.matches_by_token(body.keys, MOST_KEYS):
        summaries.append(fragment(visibility.summary(match, seats, latest)))
        await asyncio.sleep(0)  # however many they are: others have their turn between them
    return json_response(summaries)


# --- records that are not matches


@router.post("/replay", response_model=Replay, openapi_extra=RECORD_BODY)
async def replay_record(request: Request, records: RecordsDep) -> Response:
    """Every position of a record. Nothing is stored."""
    return json_response(await ask_about_body(request, records, "replay"))


@router.post("/view", response_model=ViewAnswer, openapi_extra=VIEW_BODY)
async def view(request: Request, records: RecordsDep) -> Response:
    """Where a record stands, for examples. Nothing is stored."""
    return json_response(await ask_about_body(request, records, "position"))
