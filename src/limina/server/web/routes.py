"""HTTP: finds the match, asks the authority, answers with JSON. No rule and no SQL here."""

from __future__ import annotations

import asyncio
import gzip
import re
import time
from dataclasses import asdict
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Request, Response
from pydantic import JsonValue

from limina import games
from limina.paper import typeset
from limina.server.errors import RefusedError
from limina.server.live.messages import played
from limina.server.matches import LoadedMatch, Match, MatchRequest, MatchService, SeatRequest, visibility
from limina.server.web.rate_limits import client_of
from limina.server.web.reading import RECORD_BODY, VIEW_BODY, ask_reader, read_record
from limina.server.web.services import services_of
from limina.server.wire.encoding import Fragment, dump, fragment
from limina.server.wire.record_schemas import LessonState, Replay, ViewAnswer
from limina.server.wire.schemas import (
    MOST_KEYS,
    MOST_SEATS,
    Created,
    Error,
    Fill,
    GameInfo,
    Join,
    MatchId,
    MatchState,
    MatchSummary,
    Mine,
    NewMatch,
    PreviewAnswer,
    PreviewRequest,
    TakeBack,
    Turn,
    TurnPlayed,
)

_KEY = re.compile(r"[A-Za-z0-9_-]{22,64}")

WRONG: dict[int | str, dict[str, Any]] = {
    status: {"model": Error, "description": what}
    for status, what in {
        400: "The request cannot be read, or the turn in it",
        403: "The seat is not yours, or the game is for its players alone",
        404: "There is no such game or seat",
        409: "Too late, or taken",
        413: "Too large",
        422: "The request, or the turn, is not allowed",
        429: "Too much at once: `Retry-After` says when to try again",
        503: "It could not be saved: try again",
    }.items()
}

routes = APIRouter(prefix="/api", responses=WRONG)

Keys = Annotated[
    str,
    Header(alias="Limina-Keys", max_length=1000, description="The keys of your seats in this match, joined by commas"),
]


def answer(value: Any, status: int = 200) -> Response:
    """Plain values as an answer, or what is JSON already."""
    content = value if isinstance(value, bytes) else dump(value)
    return Response(content, status, media_type="application/json", headers={"Cache-Control": "no-store"})


def _authority(request: Request) -> MatchService:
    return services_of(request).authority


async def find_match(request: Request, match: str, keys: str) -> tuple[LoadedMatch, tuple[int, ...]]:
    """The match, and which of its seats the keys hold; not for those who may not look at it."""
    found = await _authority(request).find(match)
    mine = found.match.seats_of(_read_keys(keys))
    visibility.check_admitted(found.match, mine)
    return found, mine


def _read_keys(keys: str) -> list[str]:
    return [key for key in keys.replace(" ", "").split(",")[:MOST_SEATS] if _KEY.fullmatch(key)]


@routes.get("/health", response_model=dict[str, str])
async def health() -> Response:
    """Whether the server is there."""
    return answer({"status": "ok"})


@routes.get("/games", response_model=list[GameInfo])
async def all_games(request: Request) -> Response:
    """The games and what can be chosen."""
    return answer([_game_info(game.name, _authority(request)) for game in games.games()])


def _game_info(name: str, authority: MatchService) -> dict[str, Any]:
    game = games.game(name)
    spec = game.spec
    return {
        "name": spec.name,
        "title": spec.title,
        "summary": spec.summary,
        "unit": spec.unit,
        "simultaneous": spec.simultaneous,
        "least_seats": spec.players[0],
        "most_seats": spec.most_seats,
        "bots": list(authority.bots.names(game)),
        "options": [
            {
                "name": option.name,
                "type": option.type,
                "default": option.default,
                "least": option.allowed[0] if option.allowed is not None else None,
                "most": option.allowed[-1] if option.allowed is not None else None,
                "help": option.help,
            }
            for option in spec.options
        ],
        "lessons": game.tutor is not None,
        "takes_back": spec.takes_back,
        "prints": asdict(game.printer.size) if game.printer is not None and typeset.is_installed() else None,
    }


@routes.get("/games/{name}/lessons", response_model=list[LessonState])
async def lessons(request: Request, name: Annotated[str, Path(max_length=40)]) -> Response:
    """All that is needed to learn a game by doing, in one answer."""
    plain, compressed = await asyncio.to_thread(_lessons, name)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return answer(plain)
    found = answer(compressed)
    found.headers["Content-Encoding"] = "gzip"
    return found


@cache
def _lessons(name: str) -> tuple[bytes, bytes]:
    """The lessons of a game as they are sent, and compressed: made once, since they never change."""
    tutor = games.game(name).tutor if name in games.names() else None
    if tutor is None:
        raise RefusedError("not_found", "there are no lessons for this game")
    plain = dump([lesson.to_json() for lesson in tutor.lessons()])
    return plain, gzip.compress(plain, mtime=0)


# --- matches


@routes.post("/matches", response_model=Created, status_code=201)
async def create(request: Request, wanted: NewMatch) -> Response:
    """Begin a match. A person's seats are yours: one at your screen for each."""
    services_of(request).limits.take(client_of(request.scope), "match_this_minute", "match_this_hour")
    seats = [SeatRequest(seat.kind, seat.name, seat.bot) for seat in wanted.seats]
    asked = MatchRequest(wanted.game, seats, wanted.options, wanted.hidden, wanted.spectators, wanted.shuffle)
    match, keys = await _authority(request).create(asked)
    return _created(request, match.match, keys)


def _created(request: Request, match: Match, keys: dict[int, str]) -> Response:
    held = [{"seat": seat, "key": key} for seat, key in keys.items()]
    return answer({"keys": held, "state": Fragment(_state(request, match, tuple(keys)))}, 201)


def _state(request: Request, match: Match, mine: tuple[int, ...]) -> bytes:
    return services_of(request).messages.state(match, mine)


@routes.get("/matches/{match}", response_model=MatchState)
async def state(request: Request, match: MatchId, keys: Keys = "") -> Response:
    """All that you may know of a match."""
    found, mine = await find_match(request, match, keys)
    return answer(_state(request, found.match, mine))


@routes.post("/matches/{match}/join", response_model=Created, status_code=201)
async def join(request: Request, match: MatchId, wanted: Join) -> Response:
    """Take an open seat."""
    found = await _authority(request).find(match)
    seat, key = await _authority(request).join(found, wanted.name, wanted.seat, wanted.key)
    return _created(request, found.match, {seat: key})


@routes.post("/matches/{match}/fill", response_model=MatchState)
async def fill(request: Request, match: MatchId, wanted: Fill, keys: Keys = "") -> Response:
    """Let a bot take an open seat."""
    found, mine = await find_match(request, match, keys)
    await _authority(request).fill(found, mine, wanted.seat, wanted.bot)
    return answer(_state(request, found.match, mine))


@routes.post("/matches/{match}/turns", response_model=TurnPlayed)
async def play(request: Request, match: MatchId, turn: Turn, keys: Keys = "") -> Response:
    """Play a turn. It is saved when the answer comes; sent again with the same key it is not played again."""
    found, mine = await find_match(request, match, keys)
    begun, metrics = time.monotonic(), services_of(request).metrics
    done = await _authority(request).submit_turn(found, mine, turn.seat, turn.number, turn.turn, turn.key)
    metrics.turn(time.monotonic() - begun)
    return answer(played(turn.key, done))


@routes.post("/matches/{match}/take-back", response_model=MatchState)
async def take_back(request: Request, match: MatchId, wanted: TakeBack, keys: Keys = "") -> Response:
    """Take back your last turn and the bots' answers, in a game that hides nothing and against bots only."""
    found, mine = await find_match(request, match, keys)
    await _authority(request).take_back(found, mine, wanted.seat, wanted.number, wanted.version)
    return answer(_state(request, found.match, mine))


@routes.post("/matches/{match}/preview", response_model=PreviewAnswer)
async def preview(request: Request, match: MatchId, wanted: PreviewRequest, keys: Keys = "") -> Response:
    """See what a turn of yours, or its first part, would lead to. Nothing is stored."""
    found, mine = await find_match(request, match, keys)
    return answer(
        {"version": found.match.version, "preview": visibility.preview(found.match, mine, wanted.seat, wanted.turn)}
    )


@routes.post("/matches/{match}/rematch", response_model=MatchState, status_code=201)
async def rematch(request: Request, match: MatchId, keys: Keys = "") -> Response:
    """Begin the same once more. The keys of the old match fit the new one; asked twice, it is the same match."""
    services_of(request).limits.take(client_of(request.scope), "match_this_minute", "match_this_hour")
    found, mine = await find_match(request, match, keys)
    fresh = (await _authority(request).rematch(found, mine)).match
    return answer(_state(request, fresh, fresh.seats_of(_read_keys(keys))), 201)


@routes.get("/matches/{match}/record", response_model=dict[str, JsonValue])
async def record(request: Request, match: MatchId, keys: Keys = "") -> Response:
    """The record as a file; of a running game without anything that is hidden from you."""
    found, mine = await find_match(request, match, keys)
    file = answer(visibility.record(found.match, mine).to_json())
    file.headers["Content-Disposition"] = f'attachment; filename="{found.match.game.name}-{found.match.id}.json"'
    return file


@routes.get("/matches/{match}/replay", response_model=Replay)
async def replay(request: Request, match: MatchId, keys: Keys = "") -> Response:
    """Every position of a match so far."""
    found, mine = await find_match(request, match, keys)
    return answer(await ask_reader(request, "replay", dump(visibility.record(found.match, mine).to_json())))


@routes.post("/mine", response_model=list[MatchSummary])
async def mine(request: Request, wanted: Mine) -> Response:
    """The matches in which these keys have seats, latest first."""
    found = await _authority(request).mine(wanted.keys, MOST_KEYS)
    lines = []
    for match, seats, latest in found:
        lines.append(fragment(visibility.summary(match, seats, latest)))
        await asyncio.sleep(0)  # however many they are: others have their turn between them
    return answer(lines)


# --- records that are not matches


@routes.post("/replay", response_model=Replay, openapi_extra=RECORD_BODY)
async def replay_record(request: Request) -> Response:
    """Every position of a record. Nothing is stored."""
    return answer(await read_record(request, "replay"))


@routes.post("/view", response_model=ViewAnswer, openapi_extra=VIEW_BODY)
async def view(request: Request) -> Response:
    """Where a record stands, for examples. Nothing is stored."""
    return answer(await read_record(request, "view"))
