"""Routes for the games and their lessons."""

from __future__ import annotations

import asyncio
import gzip
from dataclasses import asdict
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from limina.core import registry
from limina.core.game import Game
from limina.printing import typeset
from limina.server.api.deps import MatchesDep
from limina.server.api.responses import ERROR_RESPONSES, json_response
from limina.server.errors import RefusedError
from limina.server.schemas.json_encoding import dump
from limina.server.schemas.matches import GameInfo
from limina.server.schemas.records import LessonState

router = APIRouter(prefix="/api/games", responses=ERROR_RESPONSES)


@router.get("", response_model=list[GameInfo])
async def list_games(matches: MatchesDep) -> Response:
    """Return the games with their options and bots."""
    return json_response([_game_info(game, matches.bots.names(game)) for game in registry.games()])


def _game_info(game: Game, bots: tuple[str, ...]) -> dict[str, Any]:
    spec = game.spec
    return {
        "name": spec.name,
        "title": spec.title,
        "summary": spec.summary,
        "unit": spec.unit,
        "simultaneous": spec.simultaneous,
        "min_seats": spec.players[0],
        "max_seats": spec.max_seats,
        "bots": list(bots),
        "options": [
            {
                "name": option.name,
                "type": option.type,
                "default": option.default,
                "min": option.allowed[0] if option.allowed is not None else None,
                "max": option.allowed[-1] if option.allowed is not None else None,
                "help": option.help,
            }
            for option in spec.options
        ],
        "has_lessons": game.tutor is not None,
        "can_take_back": spec.can_take_back,
        "printed_piece": asdict(game.printer.width_range)
        if game.printer is not None and typeset.is_installed()
        else None,
    }


@router.get("/{game}/lessons", response_model=list[LessonState])
async def get_lessons(request: Request, game: Annotated[str, Path(max_length=40)]) -> Response:
    """Return all lessons of a game."""
    content, compressed = await asyncio.to_thread(_encode_lessons, game)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return json_response(content)
    return json_response(compressed, headers={"Content-Encoding": "gzip"})


@cache
def _encode_lessons(name: str) -> tuple[bytes, bytes]:
    """Return the lessons of a game as JSON, plain and compressed."""
    tutor = registry.game(name).tutor if name in registry.game_names() else None
    if tutor is None:
        raise RefusedError("not_found", "there are no lessons for this game")
    content = dump([lesson.to_json() for lesson in tutor.lessons()])
    return content, gzip.compress(content, mtime=0)
