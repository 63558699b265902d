"""Creation of matches: from a request, and as a rematch."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random, SystemRandom
from typing import Any

from limina.bots import bot_names
from limina.core import registry
from limina.core.game import Game
from limina.server.errors import RefusedError
from limina.server.matches.hosted_bots import HostedBots
from limina.server.matches.match import Match, hash_seat_token, now
from limina.server.model import Seat, SeatKind

_RNG: Random = SystemRandom()
_RANDOM_BOT = "random"
"""The bot that plays any legal turn."""


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """The requested holder of a seat."""

    kind: SeatKind
    name: str | None = None
    bot: str | None = None


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """A request to create a match."""

    game: str
    seats: Sequence[SeatRequest]
    options: Mapping[str, Any] = field(default_factory=dict)
    hidden_turns: bool = False
    """Hide the turns of a round until the round is complete."""
    allow_spectators: bool = True
    """Allow people without a seat to watch."""
    shuffle: bool = False
    """Shuffle the seats."""


def new_seat_token() -> str:
    """Return a random seat token."""
    return secrets.token_urlsafe(24)


def new_match(request: MatchRequest, hosted: HostedBots) -> tuple[Match, dict[int, str]]:
    """Return a new match that is not saved yet, and the seat tokens of its people by seat index.

    Raise RefusedError for an invalid request.
    """
    game = registry.game(request.game)
    min_seats, max_seats = game.spec.players[0], game.spec.max_seats
    if not min_seats <= len(request.seats) <= max_seats:
        raise RefusedError(
            "invalid", f"{game.title} is for {min_seats} to {max_seats} players here, not {len(request.seats)}"
        )
    if all(seat.kind == "bot" for seat in request.seats):
        raise RefusedError("invalid", "at least one seat must be for a person")
    if request.hidden_turns and not game.spec.simultaneous:
        raise RefusedError("invalid", f"in {game.title} nothing can stay hidden: players move one after the other")
    game.spec.check_options(request.options)
    seat_requests = list(request.seats)
    if request.shuffle:
        _RNG.shuffle(seat_requests)
    seats, seat_tokens = [], {}
    for seat_index, seat_request in enumerate(seat_requests):
        seat = _make_seat(game, seat_request, seat_index, hosted)
        if seat.kind == "person":
            seat_tokens[seat_index] = new_seat_token()
            seat = replace(seat, token_hash=hash_seat_token(seat_tokens[seat_index]))
        seats.append(seat)
    match = _make_match(game, seats, dict(request.options), request.hidden_turns, request.allow_spectators)
    return match, seat_tokens


def rematch_of(match: Match) -> Match:
    """Return a new match with the same players and settings. In a game turn by turn, the next player begins."""
    seats = [replace(seat, failed=None) for seat in match.seats]
    if not match.game.spec.simultaneous:
        seats = seats[1:] + seats[:1]
    return _make_match(match.game, seats, match.options, match.hidden_turns, match.allow_spectators)


def replacement_bot(game: Game, failed: str) -> str | None:
    """Return the bot that replaces a failed one, None if there is no other.

    It is the built-in bot of medium strength, or `random` if that one has failed.
    """
    levels = tuple(game.bots)
    # Weakest first, with bots for comparison after the strongest: the middle is rather weak than strong.
    medium = levels[(len(levels) - 1) // 2] if levels else _RANDOM_BOT
    if failed == _RANDOM_BOT:
        return None
    return _RANDOM_BOT if failed == medium else medium


def check_bot(game: Game, level: str | None, hosted: HostedBots) -> str:
    """Return the level; raise RefusedError if the game has no bot of this name."""
    names = (*bot_names(game), *hosted.names(game))
    if level not in names:
        raise RefusedError("invalid", f"there is no such bot: choose one of {', '.join(names)}")
    return level


def _make_seat(game: Game, request: SeatRequest, seat_index: int, hosted: HostedBots) -> Seat:
    if request.kind == "bot":
        level = check_bot(game, request.bot, hosted)
        return Seat("bot", request.name or level, level)
    if request.bot is not None:
        raise RefusedError("invalid", "only a bot's seat names a bot")
    if request.kind == "open":
        return Seat("open", "")
    return Seat("person", request.name or f"Player {seat_index + 1}")


def _make_match(
    game: Game, seats: list[Seat], options: dict[str, Any], hidden_turns: bool, allow_spectators: bool
) -> Match:
    start = game.start(len(seats), **options)
    return Match(
        id=secrets.token_urlsafe(9),
        game=game,
        start=start,
        seats=seats,
        hidden_turns=hidden_turns,
        chance_outcomes=tuple(step.text for step in game.deal(start, _RNG)),
        salt=secrets.token_hex(32),
        created_at=now(),
        options=options,
        allow_spectators=allow_spectators,
    )
