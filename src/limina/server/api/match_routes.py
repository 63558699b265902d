"""Routes for matches, and for records that belong to no match."""

from __future__ import annotations

import asyncio
import time

from fastapi import APIRouter, Request, Response
from pydantic import JsonValue

from limina.server.api.deps import (
    CurrentActor,
    MatchAccess,
    MatchesDep,
    MessagesDep,
    MetricsDep,
    RateLimitDep,
    RecordsDep,
)
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
async def create_match(
    body: schemas.NewMatch, matches: MatchesDep, messages: MessagesDep, rate_limit: RateLimitDep
) -> Response:
    """Create a match. All seats of the kind `person` are yours."""
    rate_limit("match_this_minute", "match_this_hour")
    seats = [SeatRequest(seat.kind, seat.name, seat.bot) for seat in body.seats]
    request = MatchRequest(body.game, seats, body.options, body.hidden_turns, body.allow_spectators, body.shuffle_seats)
    loaded, seat_tokens = await matches.create(request)
    return _joined(messages, loaded.match, seat_tokens)


def _joined(messages: MessageBuilder, match: Match, seat_tokens: dict[int, str]) -> Response:
    held = [{"seat_index": seat_index, "seat_token": token} for seat_index, token in seat_tokens.items()]
    return json_response({"seat_tokens": held, "state": Fragment(messages.state(match, tuple(seat_tokens)))}, 201)


@router.get("/matches/{match_id}", response_model=schemas.MatchState)
async def get_match(access: MatchAccess, messages: MessagesDep) -> Response:
    """Return the state of a match, as far as you may see it."""
    return json_response(messages.state(access.match, access.seats))


@router.post("/matches/{match_id}/join", response_model=schemas.JoinedMatch, status_code=201)
async def join_match(
    match_id: MatchId, body: schemas.JoinRequest, matches: MatchesDep, messages: MessagesDep
) -> Response:
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
async def play_turn(
    access: MatchAccess, body: schemas.TurnRequest, matches: MatchesDep, metrics: MetricsDep
) -> Response:
    """Play a turn. The turn is saved before the response. A repeated request does not play it again."""
    started = time.monotonic()
    turn = await matches.submit_turn(*access, body.seat_index, body.turn_index, body.turn, body.idempotency_key)
    metrics.count_turn(time.monotonic() - started)
    return json_response(saved_turn(body.idempotency_key, turn))


@router.post("/matches/{match_id}/take-back", response_model=schemas.MatchState)
async def take_back_turn(
    access: MatchAccess, body: schemas.TakeBackRequest, matches: MatchesDep, messages: MessagesDep
) -> Response:
    """Take back your last turn and the turns of bots after it, in a match against bots in a game that hides nothing."""
    await matches.take_back(*access, body.seat_index, body.turn_index, body.version)
    return json_response(messages.state(access.match, access.seats))


@router.post("/matches/{match_id}/preview", response_model=schemas.PreviewResponse)
async def preview_turn(access: MatchAccess, body: schemas.PreviewRequest) -> Response:
    """Return the result of a turn of yours, or of its first part, without playing it."""
    version, result = access.match.version, visibility.preview(access.match, access.seats, body.seat_index, body.turn)
    return json_response({"version": version, "preview": result})


@router.post("/matches/{match_id}/rematch", response_model=schemas.MatchState, status_code=201)
async def create_rematch(
    access: MatchAccess, actor: CurrentActor, matches: MatchesDep, messages: MessagesDep, rate_limit: RateLimitDep
) -> Response:
    """Create a rematch with the same players, settings and seat tokens. A repeated request returns the same match."""
    rate_limit("match_this_minute", "match_this_hour")
    rematch = (await matches.rematch(*access)).match
    return json_response(messages.state(rematch, rematch.seats_of(actor.seat_tokens)), 201)


@router.get("/matches/{match_id}/record", response_model=dict[str, JsonValue])
async def get_record(access: MatchAccess) -> Response:
    """Return the record as a file, without turns that are hidden from you."""
    match = access.match
    attachment = f'attachment; filename="{match.game.name}-{match.id}.json"'
    return json_response(visibility.record(match, access.seats).to_json(), headers={"Content-Disposition": attachment})


@router.get("/matches/{match_id}/replay", response_model=Replay)
async def replay_match(access: MatchAccess, request: Request, records: RecordsDep) -> Response:
    """Return every position of a match so far."""
    record = dump(visibility.record(access.match, access.seats).to_json())
    return json_response(await ask_connected(request, records, "replay", record))


@router.post("/me/matches", response_model=list[schemas.MatchSummary])
async def list_my_matches(body: schemas.MyMatchesRequest, matches: MatchesDep) -> Response:
    """Return the matches of these seat tokens, latest first."""
    summaries = []
    for match, seats, updated_at in await matches.matches_by_token(body.seat_tokens, MAX_SEAT_TOKENS):
        summaries.append(fragment(visibility.summary(match, seats, updated_at)))
        await asyncio.sleep(0)  # let the event loop handle other requests between matches
    return json_response(summaries)


# --- records that are not matches


@router.post("/replay", response_model=Replay, openapi_extra=RECORD_BODY)
async def replay_record(request: Request, records: RecordsDep) -> Response:
    """Return every position of a record. The server stores nothing."""
    return json_response(await ask_about_body(request, records, "replay"))


@router.post("/position", response_model=PositionResponse, openapi_extra=POSITION_BODY)
async def get_position(request: Request, records: RecordsDep) -> Response:
    """Return a position of a record. The server stores nothing."""
    return json_response(await ask_about_body(request, records, "position"))
