"""The one way to change a match: judged against what is saved, saved, published, and only then answered."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable
from contextvars import Context, copy_context
from functools import partial
from itertools import islice
from typing import Any

from limina.bots import BotError
from limina.errors import LiminaError
from limina.server.errors import RefusedError, UnavailableError
from limina.server.jobs import JobQueue
from limina.server.matches import transitions
from limina.server.matches.bot_runner import BotRunner, bot_pools
from limina.server.matches.bot_turns import WATCHED_MILLISECONDS, BotTurns
from limina.server.matches.loaded_match import LoadedMatch
from limina.server.matches.match import Match, PendingEvents, PlayedTurn, hash_seat_token, now
from limina.server.matches.match_sync import MatchSync
from limina.server.matches.new_match import MatchRequest, check_bot, new_match, new_seat_token, rematch_of
from limina.server.model import NewMatch, SavedMatch, Seat
from limina.server.storage import Store, Writing, Written

_MAX_LOADED_MATCHES = 5000
_MAX_EVICTION_SCAN = 100
"""How many of the oldest matches are considered for eviction when one more is loaded."""
_MAX_EVENTS_ON_LOOP = 200
"""Matches with more events are restored in a thread beside the event loop."""
_LOG = logging.getLogger("limina.server")

Judge = Callable[[], PendingEvents | None]
"""Returns the next events of a match as it stands, or None if nothing is left to do; raises LiminaError otherwise."""


class PendingTurn(asyncio.Future[PlayedTurn]):
    """A submitted turn: done once it is saved and published, or refused."""

    def __init__(self, loaded: LoadedMatch, judge: Judge, key: str) -> None:
        super().__init__()
        self.loaded = loaded
        self.judge = judge
        self._key = key

    def answer(self, error: Exception | None = None) -> None:
        """Set the result, unless the caller has gone."""
        if self.done():
            return
        if error is None:
            self.set_result(self.loaded.match.played_turns[self._key])
        else:
            self.set_exception(error)


class MatchService:
    """Loads matches, keeps those in use in memory, and changes them through the store."""

    def __init__(self, store: Store, bots: BotRunner | None = None, queue: JobQueue | None = None) -> None:
        self.bots = bots or BotRunner()
        self.bot_turns = BotTurns(self.bots, queue or JobQueue(bot_pools()))
        self._store = store
        self._matches: OrderedDict[str, LoadedMatch] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LoadedMatch]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        """Turns that wait for something, and notes on watched matches. The event loop holds tasks only weakly."""
        self._sync = MatchSync(store, self._matches, self.bots.leave)

    async def close(self) -> None:
        """Let no bot think any longer."""
        await self._sync.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.bots.stop()

    # --- finding

    async def refresh(self, loaded: LoadedMatch) -> None:
        """Bring a match that is at hand up to what is stored now, where others may have changed it."""
        await self._sync.refresh(loaded)

    def watch(self, loaded: LoadedMatch) -> None:
        """Follow a match that has got a subscriber, and let its bots think before those of unwatched matches."""
        self._in_background(self._watch(loaded))

    async def _watch(self, loaded: LoadedMatch) -> None:
        with contextlib.suppress(UnavailableError):  # it is in the log, and the bots think all the same
            await self._sync.refresh(loaded)  # hints before now were ignored
            if due := self.bot_turns.ids(loaded.match):
                await self._store.jobs.watch(due, WATCHED_MILLISECONDS)

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def catch_up(self, matches: Iterable[LoadedMatch]) -> None:
        """Read what is new in matches that others have added to."""
        await self._sync.catch_up(matches)

    async def get(self, match_id: str, version: int | None = None) -> LoadedMatch:
        """Return the match with this id, as it is stored now, or at least at a version if one is known."""
        loaded = self._matches.get(match_id)
        if loaded is not None and not loaded.invalidated:
            self._matches.move_to_end(match_id)
            await self._sync.refresh(loaded, version)
            if not loaded.invalidated:
                return loaded
        task = self._loading.get(match_id)
        if task is None:
            task = self._loading[match_id] = asyncio.create_task(self._load(match_id))
            task.add_done_callback(lambda _: self._loading.pop(match_id, None))
            try:
                return await asyncio.shield(task)
            finally:
                del task  # it has the error, which has this: whoever asked would be kept with them
        # Others have asked before us, and it may have been read before something was added that we know of.
        await asyncio.shield(task)
        return await self.get(match_id, version)

    async def _load(self, match_id: str) -> LoadedMatch:
        try:
            stored = await self._store.load(match_id)
            if stored is None or len(stored.events) <= _MAX_EVENTS_ON_LOOP:
                restored = None if stored is None else Match.restore(stored)
            else:
                restored = await asyncio.to_thread(Match.restore, stored)
        except UnavailableError:
            raise
        except Exception as error:  # nothing of what is hidden in it goes anywhere: only that it is so
            _LOG.error("the game %s cannot be read: %s", match_id, type(error).__name__)
            raise RefusedError("unavailable", "this game is damaged and cannot be read") from None
        if restored is None:
            raise RefusedError("not_found", "there is no such game")
        return self._cache(restored)

    def _cache(self, match: Match) -> LoadedMatch:
        """Keep a match in memory, and evict the oldest that are not in use if there are too many."""
        loaded = self._matches[match.id] = LoadedMatch(match)
        if len(self._matches) <= _MAX_LOADED_MATCHES:
            return loaded
        for old in list(islice(self._matches.values(), _MAX_EVICTION_SCAN)):
            if len(self._matches) <= _MAX_LOADED_MATCHES:
                break
            if old is loaded or old.subscribers or old.thinking or old.pending_write is not None:
                # Not looked at again before all others: those in use must not keep the rest in memory.
                self._matches.move_to_end(old.match.id)
            else:
                del self._matches[old.match.id]
        return loaded

    async def matches_by_token(self, keys: Iterable[str], most: int) -> list[tuple[Match, tuple[int, ...], int]]:
        """The matches in which these keys have seats, with the seats and the time of the last event."""
        hashes = {hash_seat_token(key) for key in keys}
        result = []
        for match_id, version, latest in await self._store.matches_of(hashes, most):
            with contextlib.suppress(RefusedError):  # one that is damaged does not hide the others
                match = (await self.get(match_id, version)).match
                result.append((match, match.seats_held(hashes), latest))
            await asyncio.sleep(0)  # those that are at hand are found without waiting, and others wait meanwhile
        return result

    # --- beginning

    async def create(self, wanted: MatchRequest) -> tuple[LoadedMatch, dict[int, str]]:
        """Begin a match. Return it with the keys to the seats of whoever asked."""
        match, keys = new_match(wanted, self.bots.hosted)
        self.bot_turns.check_room(match.game, match.seats)
        saved, pending = transitions.create(match)
        if await self._store.write(self._new_match(saved, pending)) is not Written.SAVED:
            raise transitions.not_saved_error()
        match.apply_events(pending.events, pending.situation)
        return self._cache(match), keys

    def _new_match(self, saved: SavedMatch, pending: PendingEvents) -> NewMatch:
        pending.requeues = True
        return NewMatch(saved, self.bot_turns.changes(pending)[0])

    async def rematch(self, loaded: LoadedMatch, mine: tuple[int, ...]) -> LoadedMatch:
        """Begin the same once more; all keys fit the new match too. Asked twice, it is the same match."""
        match = loaded.match
        if not mine:
            raise RefusedError("forbidden", "only players of this game can begin a rematch")

        def judge() -> PendingEvents | None:
            if not match.is_over:
                raise RefusedError("conflict", "this game is not over yet")
            if match.rematch is not None:
                return None
            fresh = rematch_of(match)
            self.bot_turns.check_room(fresh.game, fresh.seats)
            pending = PendingEvents(match)
            pending.rematch = self._new_match(*transitions.create(fresh))
            pending.add("rematch", fresh.id)
            return pending

        await self._change(loaded, judge)
        assert match.rematch is not None
        return await self.get(match.rematch)

    # --- seats

    async def join(
        self, loaded: LoadedMatch, name: str, seat: int | None = None, key: str | None = None
    ) -> tuple[int, str]:
        """Take a seat, or the first open one; the seat and its key. A retry with a key of one's own gets the same."""
        match = loaded.match
        key = key or new_seat_token()
        taken = 0

        def judge() -> PendingEvents | None:
            nonlocal taken
            held = match.seats_of([key])
            if held and seat in (None, held[0]):
                taken = held[0]
                return None
            taken = transitions.choose_open_seat(match, seat)
            return transitions.take_seat(match, taken, Seat("person", name, None, hash_seat_token(key)))

        await self._change(loaded, judge)
        return taken, key

    async def add_bot(self, loaded: LoadedMatch, mine: tuple[int, ...], seat: int, bot: str) -> None:
        """Let a bot take an open seat."""
        match = loaded.match
        if not mine:
            raise RefusedError("forbidden", "only players of this game can invite a bot")
        level = check_bot(match.game, bot, self.bots.hosted)
        sitting = Seat("bot", level, level)

        def judge() -> PendingEvents:
            number = transitions.choose_open_seat(match, seat)
            self.bot_turns.check_room(match.game, [*match.seats, sitting])
            return transitions.take_seat(match, number, sitting)

        await self._change(loaded, judge)

    # --- turns

    def submit_turn(
        self, loaded: LoadedMatch, mine: tuple[int, ...], seat: int, number: int, text: str, key: str
    ) -> PendingTurn:
        """Play a turn; raises at once for a seat that is not held. Sent again, it is answered and not played again.

        `number` is how many turns the seat has played before, `key` the idempotency key of the turn. Without a task
        while nothing has to be waited for but the commit: a task costs more than all else that is done for a turn.
        """
        transitions.check_seat_held(loaded.match, mine, seat)
        turn = PendingTurn(loaded, partial(transitions.play_turn_once, loaded.match, seat, number, text, key), key)
        if loaded.pending_write is None and not loaded.invalidated:
            with contextlib.suppress(LiminaError):  # another process may have gone on: the task looks
                pending = turn.judge()
                if pending is None:
                    turn.answer()
                else:
                    self._save(loaded, pending, turn)
                return turn
        self._in_background(self._play(turn))
        return turn

    async def _play(self, turn: PendingTurn, conflict: PendingEvents | None = None) -> None:
        try:
            await self._change(turn.loaded, turn.judge, conflict)
            turn.answer()
        except Exception as error:
            turn.answer(error)
        except asyncio.CancelledError:
            turn.answer(transitions.not_saved_error())
            raise
        finally:
            del turn  # it has the error, which has this frame

    async def take_back(
        self, loaded: LoadedMatch, mine: tuple[int, ...], seat: int, number: int, seen: int | None = None
    ) -> None:
        """Take back the seat's turn of this number, its last, with the bots' answers; asked again, nothing happens.

        Nor does it where the turn that stands there came after the version that was `seen`.
        """
        transitions.check_seat_held(loaded.match, mine, seat)
        await self._change(loaded, lambda: transitions.take_back(loaded.match, seat, number, seen))

    # --- saving

    async def _change(
        self, loaded: LoadedMatch, judge: Judge, conflict: PendingEvents | None = None, watched_until: int = 0
    ) -> None:
        """Append what is judged to happen; return once it is saved and published. Judge again after a conflict.

        `conflict` is a pending that has just lost against events of another process. Bots' turns that follow count as
        watched until `watched_until`, or longer while the match has subscribers.
        """
        while True:
            if conflict is not None:
                await self._sync.catch_up([loaded])
                if loaded.match.version == conflict.expected:  # nothing there explains it
                    loaded.invalidate()
            while loaded.pending_write is not None:
                await loaded.pending_write
            if loaded.invalidated:
                raise transitions.not_saved_error()
            try:
                pending = judge()
            except LiminaError:
                # Perhaps others have gone on, and nobody has told yet: then it is judged again.
                known, conflict = loaded.match.version, None
                await self.refresh(loaded)
                if loaded.match.version == known:
                    raise
                continue
            if pending is None:
                return
            written = await self._save(loaded, pending, watched_until=watched_until)
            if written is Written.SAVED:
                return
            conflict = pending if written is Written.LOST else None

    def _save(
        self, loaded: LoadedMatch, pending: PendingEvents, turn: PendingTurn | None = None, watched_until: int = 0
    ) -> Writing:
        """Append a pending with the jobs of the bots that are to move then, in the name of the present client."""
        if loaded.subscribers:
            watched_until = now() + WATCHED_MILLISECONDS
        append = pending.to_append(*self.bot_turns.changes(pending, watched_until))
        writing = self._store.write(append, partial(self._settle, loaded, pending, turn, copy_context()))
        loaded.pending_write = None if writing.done() else writing
        return writing

    def _settle(
        self, loaded: LoadedMatch, pending: PendingEvents, turn: PendingTurn | None, context: Context, written: Written
    ) -> None:
        """Apply and publish what is saved, before the requester gets an answer."""
        loaded.pending_write = None
        try:
            if written is Written.SAVED:
                # The callbacks of the turn run after this one. Scheduled before the first update is sent, they answer
                # in time to leave in one packet with it.
                loaded.apply_events(pending.events, pending.situation, turn.answer if turn is not None else None)
                if loaded.match.is_over:
                    self.bots.leave(loaded)
            elif written is Written.FAILED:
                loaded.invalidate()
        finally:
            if turn is not None and not turn.done():
                conflict = pending if written is Written.LOST else None
                context.run(self._in_background, self._play(turn, conflict))

    # --- bots

    async def requeue_bots(self, loaded: LoadedMatch) -> None:
        """Write the jobs of all bots that are to move."""

        def judge() -> PendingEvents | None:
            pending = PendingEvents(loaded.match)
            pending.requeues = True
            return pending if loaded.match.bots_to_move() else None

        await self._change(loaded, judge)

    async def play_bot(self, loaded: LoadedMatch, seat: int, watched_until: int) -> None:
        """Let the bot of a seat play its turn, unless it is played or taken back meanwhile."""
        match = loaded.match
        moment = _, number, sitting = match.turn_identity(seat)

        def unless_done(judge: Judge) -> Judge:
            return lambda: None if match.turn_identity(seat) != moment else judge()

        loaded.thinking += 1
        try:
            turn = await self.bots.choose(loaded, seat)
            judge = unless_done(lambda: transitions.play_turn(match, seat, number, turn, None))
        except BotError as failure:
            # For the host: to the players it is told in fewer words.
            _LOG.warning("the bot %s failed: %s", sitting.bot, failure)
            kind = failure.kind
            judge = unless_done(lambda: transitions.replace_bot(match, seat, kind))
        finally:
            loaded.thinking -= 1
        await self._change(loaded, judge, watched_until=watched_until)
