"""Hints for one turn: only for whoever plays alone or against bots, and from what their seat may see."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from limina.analysis import hint
from limina.protocols import Game, Position
from limina.reason import to_json
from limina.server.errors import RefusedError
from limina.server.matches import Match, visibility

_MOST_WAITING = 16


class Hints:
    """One thinker for all who ask. The kernel thinks without holding the interpreter's lock, so the server goes on."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="hint")
        self._asked: dict[tuple[str, int, int], asyncio.Future[dict[str, Any]]] = {}

    async def ask(self, match: Match, mine: tuple[int, ...], seat: int) -> dict[str, Any]:
        """What to play now."""
        check(match, mine, seat)
        key = (match.id, match.version, seat)
        asked = self._asked.get(key)
        if asked is None:
            if len(self._asked) >= _MOST_WAITING:
                raise RefusedError("too_many", "many ask for a hint just now: please try again in a moment")
            position, _ = visibility.seen(match, (seat,))
            work = self._pool.submit(_think, match.game, position, seat)
            asked = self._asked[key] = asyncio.wrap_future(work)
            asked.add_done_callback(lambda _: self._asked.pop(key, None))
        found = await asyncio.shield(asked)
        return {"version": key[1], "seat": seat, **found}

    def stop(self) -> None:
        """Think no more."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def check(match: Match, mine: tuple[int, ...], seat: int) -> None:
    """Refuse whoever has no right to a hint."""
    visibility.check_mine(mine, seat)
    if any(other.kind != "bot" for number, other in enumerate(match.seats) if number != seat):
        raise RefusedError("forbidden", "there are hints only for those who play alone or against bots")
    if seat not in match.to_move:
        over = match.phase == "over"
        raise RefusedError("stale", "the game is over" if over else "it is not this seat's turn")


def _think(game: Game, position: Position, seat: int) -> dict[str, Any]:
    found = hint(game, position, seat)
    return {
        "turn": found.turn,
        "value": round(found.value, 4),
        "unit": "probability" if found.percent else "points",
        "reasons": [to_json(reason) for reason in found.reasons],
    }
