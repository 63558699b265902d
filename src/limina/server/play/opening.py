"""How matches begin: a new one, and the rematch of one that is over."""

from __future__ import annotations

import json
import secrets
import time
from dataclasses import replace
from random import Random, SystemRandom
from typing import Any

from limina import games
from limina.bots import bot_names
from limina.protocols import Game
from limina.server.play.guests import Guests
from limina.server.play.match import Match, Seat, hash_of
from limina.server.play.refusal import RefusedError
from limina.server.schemas import NewMatch, NewSeat

_CHANCE: Random = SystemRandom()


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def new_key() -> str:
    """A secret that nobody can guess."""
    return secrets.token_urlsafe(24)


def new_match(wanted: NewMatch, guests: Guests) -> tuple[Match, dict[int, str]]:
    """A match as it was asked for, not yet saved, and the keys to the seats of whoever asked."""
    game = games.game(wanted.game)
    least, most = game.spec.players[0], game.spec.most_seats
    if not least <= len(wanted.seats) <= most:
        raise RefusedError("unreadable", f"{game.title} is for {least} to {most} players here, not {len(wanted.seats)}")
    if all(seat.kind == "bot" for seat in wanted.seats):
        raise RefusedError("unreadable", "at least one seat must be for a person")
    if wanted.hidden and not game.spec.simultaneous:
        raise RefusedError("unreadable", f"in {game.title} nothing can stay hidden: players move one after the other")
    game.spec.check_options(wanted.options)
    placed = list(wanted.seats)
    if wanted.shuffle:
        _CHANCE.shuffle(placed)
    seats, keys = [], {}
    for number, seat in enumerate(placed):
        made = _seat(game, seat, number, guests)
        if seat.kind == "person":
            keys[number] = new_key()
            made = replace(made, key_hash=hash_of(keys[number]))
        seats.append(made)
    return _begin(game, seats, dict(wanted.options), wanted.hidden, wanted.spectators), keys


def rematch_of(match: Match) -> Match:
    """The same people once more; where they move one after the other, another one begins."""
    seats = [replace(seat, failed=None) for seat in match.seats]
    if not match.game.spec.simultaneous:
        seats = seats[1:] + seats[:1]
    return _begin(match.game, seats, match.chosen, match.hidden, match.spectators)


def rows(match: Match) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A new match and its seats as they are stored."""
    row = {
        "id": match.id,
        "game": match.game.name,
        "start": json.dumps({**match.start_pack, "chosen": match.chosen}),
        "hidden": match.hidden,
        "secret_order": ",".join(match.order),
        "secret_salt": match.salt,
        "created": match.created,
        "changes": match.changes,
        "over": False,
        "rematch": None,
        "spectators": match.spectators,
    }
    seats = [{"match": match.id, "seat": number, **seat_row(seat)} for number, seat in enumerate(match.seats)]
    return row, seats


def seat_row(seat: Seat) -> dict[str, Any]:
    """Who sits on a seat, as it is stored."""
    failed = seat.failed
    return {
        "kind": seat.kind,
        "name": seat.name,
        "bot": seat.bot,
        "key_hash": seat.key_hash,
        "failed_bot": failed and failed.bot,
        "failed_how": failed and failed.how,
        "failed_at": failed and failed.at,
    }


def usual_bot(game: Game) -> str:
    """Who takes the seat of a bot that failed: ours of middling strength."""
    return tuple(game.bots)[len(game.bots) // 2]


def check_bot(game: Game, level: str | None, guests: Guests) -> str:
    """The level, if the game has a bot of that name."""
    known = (*bot_names(game), *guests.names(game))
    if level not in known:
        raise RefusedError("unreadable", f"there is no such bot: choose one of {', '.join(known)}")
    return level


def _seat(game: Game, wanted: NewSeat, number: int, guests: Guests) -> Seat:
    if wanted.kind == "bot":
        level = check_bot(game, wanted.bot, guests)
        return Seat("bot", wanted.name or level, level)
    if wanted.bot is not None:
        raise RefusedError("unreadable", "only a bot's seat names a bot")
    if wanted.kind == "open":
        return Seat("open", "")
    return Seat("person", wanted.name or f"Player {number + 1}")


def _begin(game: Game, seats: list[Seat], options: dict[str, Any], hidden: bool, spectators: bool) -> Match:
    start = game.start(len(seats), **options)
    return Match(
        id=secrets.token_urlsafe(9),
        game=game,
        start=start,
        seats=seats,
        hidden=hidden,
        order=tuple(step.text for step in game.deal(start, _CHANCE)),
        salt=secrets.token_hex(32),
        created=now(),
        updated=now(),
        chosen=options,
        spectators=spectators,
    )
