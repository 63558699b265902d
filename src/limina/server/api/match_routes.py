"""HTTP for matches and records: each route asks the match service and answers with JSON, without rules or SQL."""

from __future__ import annotations

import asyncio
import time

from fastapi import APIRouter, Request, Response
from pydantic import JsonValue

from limina.server.api.deps import CountAct, CurrentActor, MatchAccess, MatchesDep, MessagesDep, MetricsDep, RecordsDep
from limina.server.api.responses import ERROR_RESPONSES, json_response
from limina.server.api.subprocess_requests import POSITION_BODY, RECORD_BODY, ask_about_body, ask_connected
from limina.server.live.messages import MessageBuilder, saved_turn
from limina.server.matches import Match, MatchRequest, SeatRequest, visibility
from limina.server.schemas import matches as schemas
from limina.server.schemas.json_encoding import Fragment, dump, fragment
from limina.server.schemas.matches import MAX_SEAT_TOKENS, MatchId, SeatIndex
from limina.server.schemas.records import PositionResponse, Replay

router = APIRouter(prefix="/api", responses=ERROR_RESPONSES)


@router.post("/matches", response_model=schemas.JoinedMatch, status_code=201)
async def create(body: schemas.NewMatch, matches: MatchesDep, messages: MessagesDep, count_act: CountAct) -> Response:
    """Begin a match. A person's seats are yours: one at your screen for each."""
    count_act("match_this_minute", "match_this_hour")
    seats = [SeatRequest(seat.kind, seat.name, seat.bot) for seat in body.seats]
    wish = MatchRequest(body.game, seats, body.options, body.hidden_turns, body.allow_spectators, body.shuffle_seats)
    loaded, seat_tokens = await matches.create(wish)
    return _joined(messages, loaded.match, seat_tokens)


def _joined(messages: MessageBuilder, match: Match, seat_tokens: dict[int, str]) -> Response:
    held = [{"seat_index": seat_index, "seat_token": token} for seat_index, token in seat_tokens.items()]
    return json_response({"seat_tokens": held, "state": Fragment(messages.state(match, tuple(seat_tokens)))}, 201)


@router.get("/matches/{match_id}", response_model=schemas.MatchState)
async def state(access: MatchAccess, messages: MessagesDep) -> Response:
    """All that you may know of a match."""
    return json_response(messages.state(access.match, access.seats))


@router.post("/matches/{match_id}/join", response_model=schemas.JoinedMatch, status_code=201)
async def join(match_id: MatchId, body: schemas.JoinRequest, matches: MatchesDep, messages: MessagesDep) -> Response:
    """Take an open seat."""
    loaded = await matches.get(match_id)
    seat_index, token = await matches.join(loaded, body.name, body.seat_index, body.seat_token)
    return _joined(messages, loaded.match, {seat_index: token})


@router.post("/matches/{match_id}/seats/{seat_index}/bot", response_model=schemas.MatchState)
async def add_bot(
    access: MatchAccess, seat_index: SeatIndex, body: schemas.AddBotRequest, matches: MatchesDep, messages: MessagesDep
) -> Response:
    """Let a bot take an open seat."""
    await matches.add_bot(*access, seat_index, body.bot)
    return json_response(messages.state(access.match, access.seats))


@router.post("/matches/{match_id}/turns", response_model=schemas.SavedTurn)
async def play(access: MatchAccess, body: schemas.TurnRequest, matches: MatchesDep, metrics: MetricsDep) -> Response:
    """Play a turn. It is saved when the answer comes; sent again with the same key it is not played again."""
    begun = time.monotonic()
    turn = await matches.submit_turn(*access, body.seat_index, body.turn_index, body.turn, body.idempotency_key)
    metrics.count_turn(time.monotonic() - begun)
    return json_response(saved_turn(body.idempotency_key, turn))


@router.post("/matches/{match_id}/take-back", response_model=schemas.MatchState)
async def take_back(
    access: MatchAccess, body: schemas.TakeBackRequest, matches: MatchesDep, messages: MessagesDep
) -> Response:
    """Take back your last turn and the bots' answers, in a game that hides nothing and against bots only."""
    await matches.take_back(*access, body.seat_index, body.turn_index, body.version)
    return json_response(messages.state(access.match, access.seats))


@router.post("/matches/{match_id}/preview", response_model=schemas.PreviewResponse)
async def preview(access: MatchAccess, body: schemas.PreviewRequest) -> Response:
    """See what a turn of yours, or its first part, would lead to. Nothing is stored."""
    version, shown = access.match.version, visibility.preview(access.match, access.seats, body.seat_index, body.turn)
    return json_response({"version": version, "preview": shown})


@router.post("/matches/{match_id}/rematch", response_model=schemas.MatchState, status_code=201)
async def rematch(
    access: MatchAccess, actor: CurrentActor, matches: MatchesDep, messages: MessagesDep, count_act: CountAct
) -> Response:
    """Begin the same once more. The keys of the old match fit the new one; asked twice, it is the same match."""
    count_act("match_this_minute", "match_this_hour")
    fresh = (await matches.rematch(*access)).match
    return json_response(messages.state(fresh, fresh.seats_of(actor.seat_tokens)), 201)


@router.get("/matches/{match_id}/record", response_model=dict[str, JsonValue])
async def record(access: MatchAccess) -> Response:
    """The record as a file; of a running game without anything that is hidden from you."""
    match = access.match
    attachment = f'attachment; filename="{match.game.name}-{match.id}.json"'
    return json_response(visibility.record(match, access.seats).to_json(), headers={"Content-Disposition": attachment})


@router.get("/matches/{match_id}/replay", response_model=Replay)
async def replay(access: MatchAccess, request: Request, records: RecordsDep) -> Response:
    """Every position of a match so far."""
    record = dump(visibility.record(access.match, access.seats).to_json())
    return json_response(await ask_connected(request, records, "replay", record))


@router.post("/me/matches", response_model=list[schemas.MatchSummary])
async def my_matches(body: schemas.MyMatchesRequest, matches: MatchesDep) -> Response:
    """The matches in which these keys have seats, latest first."""
    summaries = []
    for match, seats, latest in await matches.matches_by_token(body.seat_tokens, MAX_SEAT_TOKENS):
        summaries.append(fragment(visibility.summary(match, seats, latest)))
        await asyncio.sleep(0)  # however many they are: others have their turn between them
    return json_response(summaries)


# --- records that are not matches


@router.post("/replay", response_model=Replay, openapi_extra=RECORD_BODY)
async def replay_record(request: Request, records: RecordsDep) -> Response:
    """Every position of a record. Nothing is stored."""
    return json_response(await ask_about_body(request, records, "replay"))


@router.post("/position", response_model=PositionResponse, openapi_extra=POSITION_BODY)
async def position(request: Request, records: RecordsDep) -> Response:
    """Where a record stands, for examples. Nothing is stored."""
    return json_response(await ask_about_body(request, records, "position"))
