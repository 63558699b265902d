"""The one judge over all matches: takes turns, saves them, and only then lets anyone know."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Iterable

from limina.bots import BotFailure
from limina.errors import LiminaError
from limina.protocols import Step
from limina.server.errors import RefusedError, UnavailableError
from limina.server.matches.bot_runner import BotRunner
from limina.server.matches.match import Match, Played, Situation, hash_of
from limina.server.matches.new_match import MatchRequest, check_bot, new_key, new_match, rematch_of, substitute
from limina.server.model import Change, FailedBot, Seat
from limina.server.storage import Saved, Store

_MOST_IN_MEMORY = 5000
_LOG = logging.getLogger("limina.server")


class Authority:
    """All matches, as far as they are in use, and the way to everything else through the store."""

    def __init__(self, store: Store, bots: BotRunner | None = None) -> None:
        self.bots = bots or BotRunner()
        self._store = store
        self._matches: OrderedDict[str, Match] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Match]] = {}
        self._thinking: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Let no bot think any longer."""
        for task in self._thinking:
            task.cancel()
        await asyncio.gather(*self._thinking, return_exceptions=True)
        await self.bots.stop()

    # --- finding

    async def find(self, match: str) -> Match:
        """The match with this id, whose bots go on where they stopped."""
        found = await self._find(match)
        if found.asleep:
            found.asleep = False
            self.schedule_bots(found)
        return found

    async def _find(self, match: str) -> Match:
        """The match with this id, as it is: nobody is woken."""
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
        try:
            stored = await self._store.load(match)
            restored = None if stored is None else Match.restore(stored)
        except UnavailableError:
            raise
        except Exception as error:  # nothing of what is hidden in it goes anywhere: only that it is so
            _LOG.error("the game %s cannot be read: %s", match, type(error).__name__)
            raise RefusedError("unavailable", "this game is damaged and cannot be read") from None
        if restored is None:
            raise RefusedError("not_found", "there is no such game")
        restored.asleep = True
        self._keep(restored)
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
                match = await self._find(match_id)
                result.append((match, match.seats_of(keys), latest))
        return result

    # --- beginning

    async def create(self, wanted: MatchRequest) -> tuple[Match, dict[int, str]]:
        """Begin a match; the keys to the seats of whoever asked."""
        match, keys = new_match(wanted, self.bots.hosted)
        self.bots.check_room(match)
        await _done(self._store.save(_begun(match)))
        self._open(match)
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
                self.bots.check_room(fresh)
                match.count_change()
                began = Change(match.id, rematch=fresh.id, changes=match.changes)
                await _done(self._submit(match, began, _begun(fresh)))
                self._open(fresh)
                return fresh
        return await self.find(match.rematch)

    def _open(self, match: Match) -> None:
        """A new match is saved: whatever there is of it may be seen."""
        match.shown = match.head
        self._keep(match)
        self.schedule_bots(match)

    # --- seats

    async def join(self, match: Match, name: str, seat: int | None = None, key: str | None = None) -> tuple[int, str]:
        """Take a seat, or the first open one; the seat and its key. A retry with a key of one's own gets the same."""
        key = key or new_key()
        # Chosen only when whoever came before sits: two who come at once get two seats, a retry gets the same.
        async with match.seating:
            held = match.seats_of([key])
            if held and seat in (None, held[0]):
                return held[0], key
            seat = _open_seat(match, seat)
            await self._seat(match, seat, Seat("person", name, None, hash_of(key)))
        return seat, key

    async def fill(self, match: Match, mine: tuple[int, ...], seat: int, bot: str) -> None:
        """Let a bot take an open seat."""
        if not mine:
            raise RefusedError("forbidden", "only players of this game can invite a bot")
        level = check_bot(match.game, bot, self.bots.hosted)
        async with match.seating:
            await self._seat(match, _open_seat(match, seat), Seat("bot", level, level))

    async def _seat(self, match: Match, number: int, seat: Seat) -> None:
        """Save that somebody sits there; with the last one the game begins. Only with `match.seating` held."""
        if match.broken:
            raise _not_saved()
        last = sum(other.kind == "open" for other in match.seats) == 1
        match.count_change()
        drawn = match.saved_steps(match.apply_chance() if last else [])
        change = Change(match.id, steps=drawn, seated=(number, seat), changes=match.changes)
        await _done(self._submit(match, change))

    # --- turns

    async def play(self, match: Match, mine: tuple[int, ...], seat: int, number: int, text: str, key: str) -> Played:
        """Play a turn; returns once it is saved. The same turn sent again is answered, not played again.

        `number` is how many turns the seat has played before, `key` what this turn alone has.
        """
        if seat not in mine:
            if seat >= len(match.seats):
                raise RefusedError("not_found", "there is no such seat")
            raise RefusedError("forbidden", "this seat is not yours")
        played = match.played.get(key)
        if played is None:
            played = self._accept(match, seat, number, text, key)
        elif (played.seat, played.number) != (seat, number) or played.text != _canonical(match, text):
            raise RefusedError("conflict", "the key of this turn was used for another one")
        if played.saved is not None:
            await _done(played.saved)
            played.saved = None
        return played

    def _accept(self, match: Match, seat: int, number: int, text: str, key: str | None) -> Played:
        """Judge a turn and send it to be saved."""
        if match.broken:
            raise _not_saved()
        if not match.full:
            raise RefusedError("stale", "the game begins when every seat is taken")
        head = match.head
        if number != head.turns[seat]:
            raise RefusedError(
                "stale", f"this seat has played {head.turns[seat]} turns, not {number}: look at the game again"
            )
        read = match.game.read_turn(text)
        step = Step(seat, str(read))
        made = match.advance(step, head.position.play(read, seat))
        over = True if match.head.position.outcome is not None else None
        change = Change(match.id, steps=match.saved_steps(made, key), over=over)
        played = Played(seat, number, step.text, match.head.version, self._submit(match, change))
        if key is not None:
            match.played[key] = played
        return played

    # --- saving

    def _submit(self, match: Match, change: Change, *others: Change) -> Saved:
        """Send a change that the head has taken already to be saved; once it is, everybody is told."""
        situation = match.head
        match.saving = saved = self._store.save(*others, change, after=match.saving)
        # Before anybody else waits for it: all are told before whoever asked gets an answer.
        saved.add_done_callback(lambda done: self._settle(match, change, situation, done))
        return saved

    def _settle(self, match: Match, change: Change, situation: Situation, done: Saved) -> None:
        if done.cancelled() or not done.result():
            self._forget(match)
            return
        try:
            match.settle(change, situation)
        except Exception as error:  # whatever goes wrong with telling others: the game goes on
            _LOG.error("something saved could not be told: %s", type(error).__name__)
        self.schedule_bots(match)

    def _forget(self, match: Match) -> None:
        """Believe the store, not the memory; listeners have to come back."""
        match.broken = True
        if self._matches.get(match.id) is match:
            del self._matches[match.id]
        match.notify(None)

    # --- bots

    def schedule_bots(self, match: Match) -> None:
        """Let every bot think that is to move and does not think already."""
        if match.over:
            self.bots.leave(match)
        for seat in match.to_move:
            if match.seats[seat].kind == "bot" and seat not in match.thinking and not match.broken:
                match.thinking.add(seat)
                task = asyncio.create_task(self._play_bot(match, seat))
                self._thinking.add(task)
                task.add_done_callback(self._thinking.discard)

    async def _play_bot(self, match: Match, seat: int) -> None:
        number, replaced = match.shown.turns[seat], False
        try:
            turn = await self.bots.choose(match, seat)
            played = self._accept(match, seat, number, turn, None)
            if played.saved is not None:
                await _done(played.saved)
        except BotFailure as failure:
            # For the host: to the players it is told in fewer words.
            _LOG.warning("the bot %s failed: %s", match.seats[seat].bot, failure)
            replaced = await self._replace(match, seat, failure)
        except LiminaError as error:
            # It could not be saved. The next look at the match begins again. What was played stays out of the log.
            _LOG.error("a bot could not play: %s", type(error).__name__)
        finally:
            match.thinking.discard(seat)
        if replaced or match.shown.turns[seat] != number:
            self.schedule_bots(match)

    async def _replace(self, match: Match, number: int, failure: BotFailure) -> bool:
        """Let another bot go on where one has failed; whether there is one."""
        async with match.seating:
            level = match.seats[number].bot or ""
            other = substitute(match.game, level)
            if other is None:
                return False
            failed = FailedBot(level, failure.how, match.shown.steps)
            with contextlib.suppress(RefusedError):
                await self._seat(match, number, Seat("bot", other, other, failed=failed))
        return not match.broken


def _begun(match: Match) -> Change:
    """A new match as it is saved, with what chance does first."""
    # What is laid for all to see can be seen while others are awaited; what is hidden waits for everybody.
    ready = match.full or match.game.spec.chance == "setup"
    return Change(match.id, begins=match.to_saved(), steps=match.saved_steps(match.apply_chance() if ready else []))


async def _done(saved: Saved) -> None:
    """Wait until something is saved."""
    if not await asyncio.shield(saved):
        raise _not_saved()


def _not_saved() -> RefusedError:
    return RefusedError("unavailable", "this could not be saved: please try again")


def _open_seat(match: Match, wanted: int | None) -> int:
    free = [number for number, seat in enumerate(match.seats) if seat.kind == "open"]
    if wanted is not None and wanted >= len(match.seats):
        raise RefusedError("not_found", "there is no such seat")
    if wanted is not None and wanted not in free:
        raise RefusedError("conflict", "somebody sits there already")
    if not free:
        raise RefusedError("conflict", f"all seats are taken{': you can watch' if match.spectators else ''}")
    return free[0] if wanted is None else wanted


def _canonical(match: Match, text: str) -> str | None:
    try:
        return str(match.game.read_turn(text))
    except LiminaError:
        return None
