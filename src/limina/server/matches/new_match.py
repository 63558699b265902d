"""How matches begin: a new one, and the rematch of one that is over."""

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
_ANY_TURN = "random"
"""The bot that plays any legal turn."""


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """Who is to sit somewhere."""

    kind: SeatKind
    name: str | None = None
    bot: str | None = None


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """A match that somebody would like to begin."""

    game: str
    seats: Sequence[SeatRequest]
    options: Mapping[str, Any] = field(default_factory=dict)
    hidden_turns: bool = False
    allow_spectators: bool = True
    shuffle: bool = False


def new_seat_token() -> str:
    """A secret that nobody can guess."""
    return secrets.token_urlsafe(24)


def new_match(wanted: MatchRequest, hosted: HostedBots) -> tuple[Match, dict[int, str]]:
    """A match as it was asked for, not yet saved, and the keys to the seats of whoever asked."""
    game = registry.game(wanted.game)
    least, most = game.spec.players[0], game.spec.max_seats
    if not least <= len(wanted.seats) <= most:
        raise RefusedError("invalid", f"{game.title} is for {least} to {most} players here, not {len(wanted.seats)}")
    if all(seat.kind == "bot" for seat in wanted.seats):
        raise RefusedError("invalid", "at least one seat must be for a person")
    if wanted.hidden_turns and not game.spec.simultaneous:
        raise RefusedError("invalid", f"in {game.title} nothing can stay hidden: players move one after the other")
    game.spec.check_options(wanted.options)
    placed = list(wanted.seats)
    if wanted.shuffle:
        _RNG.shuffle(placed)
    seats, keys = [], {}
    for number, seat in enumerate(placed):
        made = _seat(game, seat, number, hosted)
        if seat.kind == "person":
            keys[number] = new_seat_token()
            made = replace(made, token_hash=hash_seat_token(keys[number]))
        seats.append(made)
    return _begin(game, seats, dict(wanted.options), wanted.hidden_turns, wanted.allow_spectators), keys


def rematch_of(match: Match) -> Match:
    """The same people once more; where they move one after the other, another one begins."""
    seats = [replace(seat, failed=None) for seat in match.seats]
    if not match.game.spec.simultaneous:
        seats = seats[1:] + seats[:1]
    return _begin(match.game, seats, match.options, match.hidden_turns, match.allow_spectators)


def replacement_bot(game: Game, failed: str) -> str | None:
    """Who takes the seat of a bot that failed: ours of middling strength; for that one, one that cannot fail."""
    levels = tuple(game.bots)
    # Weakest first, and yardsticks after the strongest: the middle of them all is rather below than above it.
    usual = levels[(len(levels) - 1) // 2] if levels else _ANY_TURN
    if failed == _ANY_TURN:
        return None
    return _ANY_TURN if failed == usual else usual


def check_bot(game: Game, level: str | None, hosted: HostedBots) -> str:
    """The level, if the game has a bot of that name."""
    known = (*bot_names(game), *hosted.names(game))
    if level not in known:
        raise RefusedError("invalid", f"there is no such bot: choose one of {', '.join(known)}")
    return level


def _seat(game: Game, wanted: SeatRequest, number: int, hosted: HostedBots) -> Seat:
    if wanted.kind == "bot":
        level = check_bot(game, wanted.bot, hosted)
        return Seat("bot", wanted.name or level, level)
    if wanted.bot is not None:
        raise RefusedError("invalid", "only a bot's seat names a bot")
    if wanted.kind == "open":
        return Seat("open", "")
    return Seat("person", wanted.name or f"Player {number + 1}")


def _begin(game: Game, seats: list[Seat], options: dict[str, Any], hidden_turns: bool, allow_spectators: bool) -> Match:
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
