"""The one judge over all matches: takes turns, saves them, and only then lets anyone know."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Iterable
from concurrent.futures import Executor
from typing import Any

from limina.bots import BotFailure
from limina.errors import LiminaError
from limina.protocols import Step
from limina.server.play.guests import Guests
from limina.server.play.match import Failed, Match, Played, Seat, Situation, hash_of
from limina.server.play.opening import check_bot, new_key, new_match, now, rematch_of, rows, seat_row, usual_bot
from limina.server.play.refusal import RefusedError
from limina.server.play.thinking import Thinking
from limina.server.schemas import Fill, Join, NewMatch, Turn
from limina.server.store import Store, Write

_MOST_IN_MEMORY = 5000
_LOG = logging.getLogger("limina.server")
_NOT_SAVED = "this could not be saved: please try again"


class Authority:
    """All matches, as far as they are in use, and the way to everything else through the store."""

    def __init__(self, store: Store, pool: Executor, guests: Guests | None = None) -> None:
        self.guests = guests or Guests()
        self._store = store
        self._matches: OrderedDict[str, Match] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Match]] = {}
        self._thinking = Thinking(pool, self.guests, self._accept, self._replace)

    async def close(self) -> None:
        """Let no bot think any longer."""
        await self._thinking.stop()
        await self.guests.stop()

    # --- finding

    async def find(self, match: str) -> Match:
        """The match with this id."""
        found = self._matches.get(match)
        if found is not None and not found.broken:
            self._matches.move_to_end(match)
            return found
        task = self._loading.get(match)
        if task is None:
            task = self._loading[match] = asyncio.create_task(self._load(match))
            task.add_done_callback(lambda _: self._loading.pop(match, None))
        return await asyncio.shield(task)

    async def _load(self, match: str) -> Match:
        stored = await self._store.load(match)
        if stored is None:
            raise RefusedError("not_found", "there is no such game")
        try:
            restored = Match.restore(stored)
        except Exception as error:  # nothing of what is hidden in it goes anywhere: only that it is so
            _LOG.error("the game %s cannot be read: %s", match, type(error).__name__)
            raise RefusedError("unavailable", "this game is damaged and cannot be read") from None
        self._keep(restored)
        self._thinking.wake(restored)
        return restored

    def _keep(self, match: Match) -> None:
        self._matches[match.id] = match
        if len(self._matches) > _MOST_IN_MEMORY:
            for old in list(self._matches.values())[:100]:
                if not old.listeners and old.head is old.shown and not old.thinking:
                    del self._matches[old.id]

    async def mine(self, keys: Iterable[str], most: int) -> list[tuple[Match, tuple[int, ...], int]]:
        """The matches in which these keys have seats, with the seats and the time of the last step."""
        keys = list(keys)
        found = await self._store.matches_of([hash_of(key) for key in keys], most)
        result = []
        for match_id, latest in found:
            with contextlib.suppress(RefusedError):  # one that is damaged does not hide the others
                match = await self.find(match_id)
                result.append((match, match.seats_of(keys), latest))
        return result

    # --- beginning

    async def create(self, wanted: NewMatch) -> tuple[Match, dict[int, str]]:
        """Begin a match; the keys to the seats of whoever asked."""
        match, keys = new_match(wanted, self.guests)
        await self._save_new(match)
        return match, keys

    async def rematch(self, match: Match, mine: tuple[int, ...]) -> Match:
        """Begin the same once more; all keys fit the new match too. Asked twice, it is the same match."""
        if not mine:
            raise RefusedError("forbidden", "only players of this game can begin a rematch")
        if not match.over:
            raise RefusedError("conflict", "this game is not over yet")
        # One after the other: whoever asks second gets what the first one began, once it is saved.
        async with match.seating:
            if match.rematch is None:
                fresh = rematch_of(match)
                await self._save_new(fresh, of=match)
                match.rematch = fresh.id
                match.changes += 1
                match.tell(match.shown)
                return fresh
        return await self.find(match.rematch)

    async def _save_new(self, match: Match, of: Match | None = None) -> None:
        row, seats = rows(match)
        # What is laid for all to see can be seen while others are awaited; what is hidden waits for everybody.
        drawn = match.let_chance() if match.full or match.game.spec.chance == "setup" else []
        match.steps += drawn
        old = [(of.id, {"rematch": match.id, "changes": of.changes + 1})] if of is not None else []
        if not await self._store.save(
            lambda done, failed: Write(
                done,
                failed,
                new_match=row,
                new_seats=seats,
                new_steps=self._step_rows(match, drawn, 0, None),
                match_changes=old,
            )
        ):
            raise RefusedError("unavailable", _NOT_SAVED)
        match.shown = match.head
        self._keep(match)
        self._thinking.wake(match)

    # --- seats

    async def join(self, match: Match, wanted: Join) -> tuple[int, str]:
        """Take an open seat; the seat and its key."""
        key = wanted.key or new_key()
        sitting = Seat("person", wanted.name, None, hash_of(key))
        # Chosen only when whoever came before sits: two who come at once get two seats, a retry gets the same.
        async with match.seating:
            held = match.seats_of([key])
            if held and wanted.seat in (None, held[0]):
                return held[0], key
            seat = self._open_seat(match, wanted.seat)
            await self._seat(match, seat, sitting)
        self._thinking.wake(match)
        return seat, key

    async def fill(self, match: Match, mine: tuple[int, ...], wanted: Fill) -> None:
        """Let a bot take an open seat."""
        if not mine:
            raise RefusedError("forbidden", "only players of this game can invite a bot")
        level = check_bot(match.game, wanted.bot, self.guests)
        async with match.seating:
            await self._seat(match, self._open_seat(match, wanted.seat), Seat("bot", level, level))
        self._thinking.wake(match)

    def _open_seat(self, match: Match, wanted: int | None) -> int:
        free = [number for number, seat in enumerate(match.seats) if seat.kind == "open"]
        if wanted is not None and wanted >= len(match.seats):
            raise RefusedError("not_found", "there is no such seat")
        if wanted is not None and wanted not in free:
            raise RefusedError("conflict", "somebody sits there already")
        if not free:
            raise RefusedError("conflict", f"all seats are taken{': you can watch' if match.spectators else ''}")
        return free[0] if wanted is None else wanted

    async def _seat(self, match: Match, number: int, seat: Seat) -> None:
        """Save that somebody sits there; with the last one the game begins. Only with `match.seating` held."""
        if match.broken:
            raise RefusedError("unavailable", _NOT_SAVED)
        first = match.shown.steps
        last = sum(other.kind == "open" for other in match.seats) == 1
        drawn = match.let_chance() if last else []
        match.steps += drawn
        await self._save_seat(match, number, seat, self._step_rows(match, drawn, first, None))
        match.shown = match.head
        match.tell(match.shown)

    async def _replace(self, match: Match, number: int, failure: BotFailure) -> bool:
        """Let one of ours go on where a bot of the host has failed."""
        async with match.seating:
            failed = Failed(match.seats[number].bot or "", failure.how, match.shown.steps)
            level = usual_bot(match.game)
            try:
                await self._save_seat(match, number, Seat("bot", level, level, failed=failed), [])
            except RefusedError:
                return False
            match.tell(match.shown)
        return True

    async def _save_seat(self, match: Match, number: int, seat: Seat, steps: list[dict[str, Any]]) -> None:
        if not await self._store.save(
            lambda done, failed: Write(
                done,
                failed,
                new_steps=steps,
                seat_changes=[(match.id, number, seat_row(seat))],
                match_changes=[(match.id, {"changes": match.changes + 1})],
            )
        ):
            self._forget(match)
            raise RefusedError("unavailable", _NOT_SAVED)
        match.seats[number] = seat
        match.changes += 1

    # --- turns

    async def play(self, match: Match, mine: tuple[int, ...], turn: Turn) -> Played:
        """Play a turn; returns once it is saved. The same turn sent again is answered, not played again."""
        if turn.seat not in mine:
            if turn.seat >= len(match.seats):
                raise RefusedError("not_found", "there is no such seat")
            raise RefusedError("forbidden", "this seat is not yours")
        played = match.played.get(turn.key)
        if played is None:
            played = self._accept(match, turn.seat, turn.number, turn.turn, turn.key)
        elif (played.seat, played.number) != (turn.seat, turn.number) or played.text != _canonical(match, turn.turn):
            raise RefusedError("conflict", "the key of this turn was used for another one")
        if played.saved is not None:
            await asyncio.shield(played.saved)
        return played

    def _accept(self, match: Match, seat: int, number: int, text: str, key: str | None) -> Played:
        """Judge a turn and send it to be saved."""
        if match.broken:
            raise RefusedError("unavailable", _NOT_SAVED)
        if not match.full:
            raise RefusedError("stale", "the game begins when every seat is taken")
        head = match.head
        if number != head.turns[seat]:
            raise RefusedError(
                "stale", f"this seat has played {head.turns[seat]} turns, not {number}: look at the game again"
            )
        read = match.game.read_turn(text)
        position = head.position.play(read, seat)
        step = Step(seat, str(read))
        made = match.forward(step, position)
        situation = match.head
        saved: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        played = Played(seat, number, step.text, situation.steps + match.changes, saved)
        if key is not None:
            match.played[key] = played
        self._store.put(
            Write(
                lambda: self._saved(match, situation, played),
                lambda: self._lost(match, played),
                lambda: not match.broken,
                new_steps=self._step_rows(match, made, head.steps, key),
                match_changes=[(match.id, {"over": True})] if position.outcome is not None else (),
            )
        )
        return played

    def _saved(self, match: Match, situation: Situation, played: Played) -> None:
        match.updated = now()
        try:
            match.settle(situation)
        finally:  # whatever goes wrong with telling others: whoever played is told, and the game goes on
            if played.saved is not None and not played.saved.done():
                played.saved.set_result(None)
            played.saved = None
            self._thinking.wake(match)

    def _lost(self, match: Match, played: Played) -> None:
        self._forget(match)
        if played.saved is not None and not played.saved.done():
            played.saved.set_exception(RefusedError("unavailable", _NOT_SAVED))
            played.saved.exception()  # looked at here: perhaps nobody waits for it any more

    def _forget(self, match: Match) -> None:
        """Believe the store, not the memory; listeners have to come back."""
        match.broken = True
        if self._matches.get(match.id) is match:
            del self._matches[match.id]
        match.tell(match.shown)

    @staticmethod
    def _step_rows(match: Match, made: list[Step], first: int, key: str | None) -> list[dict[str, Any]]:
        at = now()
        return [
            {
                "match": match.id,
                "number": first + number,
                "player": step.player,
                "text": step.text,
                "turn_key": key if number == 0 else None,
                "at": at,
            }
            for number, step in enumerate(made)
        ]


def _canonical(match: Match, text: str) -> str | None:
    try:
        return str(match.game.read_turn(text))
    except LiminaError:
        return None
