"""The match service: the only way to read and change matches.

A change is validated against the match in memory, saved, published to the subscribers, and then answered.
"""

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
from limina.server.storage import PendingWrite, Store, WriteResult

_MAX_LOADED_MATCHES = 5000
_MAX_EVICTION_SCAN = 100
"""Maximum number of matches that are considered for eviction when another one is loaded."""
_MAX_EVENTS_ON_LOOP = 200
"""Matches with more events are restored in a thread, because that would block the event loop."""
_LOG = logging.getLogger("limina.server")

Transition = Callable[[], PendingEvents | None]
"""Returns the events of a change, None if nothing is left to do, or raises LiminaError. It is called again if the match
has changed meanwhile."""


class PendingTurn(asyncio.Future[PlayedTurn]):
    """The result of a submitted turn, when it is saved and published; or the error."""

    def __init__(self, loaded: LoadedMatch, transition: Transition, idempotency_key: str) -> None:
        super().__init__()
        self.loaded = loaded
        self.transition = transition
        self._idempotency_key = idempotency_key

    def answer(self, error: Exception | None = None) -> None:
        """Set the result, unless the caller has canceled the turn."""
        if self.done():
            return
        if error is None:
            self.set_result(self.loaded.match.played_turns[self._idempotency_key])
        else:
            self.set_exception(error)


class MatchService:
    """Loads matches, keeps those in use in memory, and changes them through the store.

    >>> import asyncio, tempfile
    >>> from pathlib import Path
    >>> from limina.core.registry import game_names
    >>> from limina.server.matches import MatchRequest, SeatRequest
    >>> from limina.server.settings import ServerSettings
    >>> from limina.server.storage import url_of
    >>> async def play_first_turn(folder: str) -> None:
    ...     store = Store(url_of(ServerSettings(data=Path(folder))))
    ...     await store.open()
    ...     service = MatchService(store)
    ...     seats = [SeatRequest("person", "Ada"), SeatRequest("person", "Ben")]
    ...     loaded, seat_tokens = await service.create(MatchRequest(game_names()[0], seats))
    ...     own_seats = loaded.match.seats_of([seat_tokens[0]])
    ...     turn = str(loaded.match.situation.position.legal_turns(0)[0])
    ...     played = await service.submit_turn(loaded, own_seats, 0, 0, turn, "an idempotency key")
    ...     print(played.text == turn, played.version == loaded.match.version, loaded.match.to_move)
    ...     await service.close()
    ...     await store.close()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     asyncio.run(play_first_turn(folder))
    True True (1,)
    """

    def __init__(self, store: Store, bots: BotRunner | None = None, queue: JobQueue | None = None) -> None:
        self.bots = bots or BotRunner()
        self.bot_turns = BotTurns(self.bots, queue or JobQueue(bot_pools()))
        self._store = store
        self._matches: OrderedDict[str, LoadedMatch] = OrderedDict()
        """The least recently used first."""
        self._loading: dict[str, asyncio.Task[LoadedMatch]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        """Tasks in the background. The event loop refers to tasks only weakly."""
        self._sync = MatchSync(store, self._matches, self.bots.release)

    async def close(self) -> None:
        """Cancel all tasks and stop the bots."""
        await self._sync.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.bots.stop()

    # --- reading

    async def refresh(self, loaded: LoadedMatch) -> None:
        """Read new events of a match from the database, if other processes can have added some."""
        await self._sync.refresh(loaded)

    def watch(self, loaded: LoadedMatch) -> None:
        """Refresh a match that has a new subscriber, and run the jobs of its bots before those of other matches."""
        self._run_in_background(self._watch(loaded))

    async def _watch(self, loaded: LoadedMatch) -> None:
        with contextlib.suppress(UnavailableError):  # it is in the log, and the bots play anyway
            await self._sync.refresh(loaded)  # messages of the bus were ignored before
            if job_ids := self.bot_turns.ids(loaded.match):
                await self._store.jobs.watch(job_ids, WATCHED_MILLISECONDS)

    def _run_in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def catch_up(self, matches: Iterable[LoadedMatch]) -> None:
        """Read and publish the new events of matches."""
        await self._sync.catch_up(matches)

    async def get(self, match_id: str, version: int | None = None) -> LoadedMatch:
        """Return a match at its stored version, or at least at `version`; raise RefusedError if there is none."""
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
                del task  # its exception refers to this frame: without the cycle, both are freed at once
        # A load began before this call. It may have missed newer events, so refresh the result.
        await asyncio.shield(task)
        return await self.get(match_id, version)

    async def _load(self, match_id: str) -> LoadedMatch:
        try:
            saved = await self._store.load(match_id)
            if saved is None or len(saved.events) <= _MAX_EVENTS_ON_LOOP:
                match = None if saved is None else Match.restore(saved)
            else:
                match = await asyncio.to_thread(Match.restore, saved)
        except UnavailableError:
            raise
        except Exception as error:  # its message could contain hidden information
            _LOG.error("match %s: loading failed, the saved match is damaged: %s", match_id, type(error).__name__)
            raise RefusedError("unavailable", "this game is damaged and cannot be read") from None
        if match is None:
            raise RefusedError("not_found", "there is no such game")
        return self._cache(match)

    def _cache(self, match: Match) -> LoadedMatch:
        """Add a match to those in memory; evict matches that are not in use if there are too many."""
        loaded = self._matches[match.id] = LoadedMatch(match)
        if len(self._matches) <= _MAX_LOADED_MATCHES:
            return loaded
        for old in list(islice(self._matches.values(), _MAX_EVICTION_SCAN)):
            if len(self._matches) <= _MAX_LOADED_MATCHES:
                break
            if old is loaded or old.subscribers or old.bots_running or old.pending_write is not None:
                # Moved to the end, so that the next scan begins with other matches.
                self._matches.move_to_end(old.match.id)
            else:
                del self._matches[old.match.id]
        return loaded

    async def matches_by_token(
        self, seat_tokens: Iterable[str], max_matches: int
    ) -> list[tuple[Match, tuple[int, ...], int]]:
        """Return the latest matches of these seat tokens, with the own seats and the time of the last event."""
        token_hashes = {hash_seat_token(token) for token in seat_tokens}
        result = []
        for match_id, version, updated_at in await self._store.matches_by_token(token_hashes, max_matches):
            with contextlib.suppress(RefusedError):  # a damaged match is left out
                match = (await self.get(match_id, version)).match
                result.append((match, match.seats_of_hashes(token_hashes), updated_at))
            await asyncio.sleep(0)  # matches in memory are returned without waiting: let other tasks run
        return result

    # --- creating

    async def create(self, request: MatchRequest) -> tuple[LoadedMatch, dict[int, str]]:
        """Create a match; return it with the seat tokens of its people by seat index."""
        match, seat_tokens = new_match(request, self.bots.hosted)
        self.bot_turns.check_capacity(match.game, match.seats)
        saved, pending = transitions.create(match)
        if await self._store.write(self._new_match(saved, pending)) is not WriteResult.COMMITTED:
            raise transitions.not_saved_error()
        match.apply_events(pending.events, pending.situation)
        return self._cache(match), seat_tokens

    def _new_match(self, saved: SavedMatch, pending: PendingEvents) -> NewMatch:
        pending.requeues = True
        return NewMatch(saved, self.bot_turns.changes(pending)[0])

    async def rematch(self, loaded: LoadedMatch, own_seats: tuple[int, ...]) -> LoadedMatch:
        """Create the rematch of a match, or return the one that exists. The same seat tokens are valid in it."""
        match = loaded.match
        if not own_seats:
            raise RefusedError("forbidden", "only players of this game can begin a rematch")

        def pending_events() -> PendingEvents | None:
            if not match.is_over:
                raise RefusedError("conflict", "this game is not over yet")
            if match.rematch_id is not None:
                return None
            new = rematch_of(match)
            self.bot_turns.check_capacity(new.game, new.seats)
            pending = PendingEvents(match)
            pending.rematch = self._new_match(*transitions.create(new))
            pending.add("rematch", new.id)
            return pending

        await self._change(loaded, pending_events)
        assert match.rematch_id is not None
        return await self.get(match.rematch_id)

    # --- seats

    async def join(
        self, loaded: LoadedMatch, name: str, seat_index: int | None = None, seat_token: str | None = None
    ) -> tuple[int, str]:
        """Take a seat, by default the first open one; return its index and token.

        A client that sends its own token can retry: it gets the same seat.
        """
        match = loaded.match
        token = seat_token or new_seat_token()
        joined = 0

        def seat_taking_events() -> PendingEvents | None:
            nonlocal joined
            own_seats = match.seats_of([token])
            if own_seats and seat_index in (None, own_seats[0]):
                joined = own_seats[0]
                return None
            joined = transitions.choose_open_seat(match, seat_index)
            return transitions.take_seat(match, joined, Seat("person", name, None, hash_seat_token(token)))

        await self._change(loaded, seat_taking_events)
        return joined, token

    async def add_bot(self, loaded: LoadedMatch, own_seats: tuple[int, ...], seat_index: int, bot: str) -> None:
        """Let a bot take an open seat."""
        match = loaded.match
        if not own_seats:
            raise RefusedError("forbidden", "only players of this game can invite a bot")
        level = check_bot(match.game, bot, self.bots.hosted)
        seat = Seat("bot", level, level)

        def pending_events() -> PendingEvents:
            index = transitions.choose_open_seat(match, seat_index)
            self.bot_turns.check_capacity(match.game, [*match.seats, seat])
            return transitions.take_seat(match, index, seat)

        await self._change(loaded, pending_events)

    # --- turns

    def submit_turn(
        self,
        loaded: LoadedMatch,
        own_seats: tuple[int, ...],
        seat_index: int,
        turn_index: int,
        text: str,
        idempotency_key: str,
    ) -> PendingTurn:
        """Play a turn and return its future result; raise RefusedError at once if the seat is not an own seat.

        `turn_index` is the number of turns that the seat has played before. A turn that is submitted again with its
        idempotency key is answered and not played again.
        """
        transitions.check_seat_held(loaded.match, own_seats, seat_index)
        transition = partial(transitions.play_turn_once, loaded.match, seat_index, turn_index, text, idempotency_key)
        turn = PendingTurn(loaded, transition, idempotency_key)
        if loaded.pending_write is None and not loaded.invalidated:
            # Without a task, which would cost more time than all other work for a turn.
            with contextlib.suppress(LiminaError):  # another process may have added events: the task reads them
                pending = transition()
                if pending is None:
                    turn.answer()
                else:
                    self._save(loaded, pending, turn)
                return turn
        self._run_in_background(self._play(turn))
        return turn

    async def _play(self, turn: PendingTurn, conflict: PendingEvents | None = None) -> None:
        try:
            await self._change(turn.loaded, turn.transition, conflict)
            turn.answer()
        except Exception as error:
            turn.answer(error)
        except asyncio.CancelledError:
            turn.answer(transitions.not_saved_error())
            raise
        finally:
            del turn  # its exception refers to this frame

    async def take_back(
        self,
        loaded: LoadedMatch,
        own_seats: tuple[int, ...],
        seat_index: int,
        turn_index: int,
        seen_version: int | None = None,
    ) -> None:
        """Take back the last turn of a seat, which has this index, and the bots' turns after it.

        Do nothing if it is taken back already, or if the turn at this index is newer than `seen_version`.
        """
        transitions.check_seat_held(loaded.match, own_seats, seat_index)
        await self._change(loaded, partial(transitions.take_back, loaded.match, seat_index, turn_index, seen_version))

    # --- saving

    async def _change(
        self,
        loaded: LoadedMatch,
        transition: Transition,
        conflict: PendingEvents | None = None,
        watched_until: int = 0,
    ) -> None:
        """Save the events of a transition; return when they are published. Call it again after a conflict.

        `conflict` are events that had a conflict with those of another process. The bots' turns that follow count as
        watched until `watched_until`, or longer while the match has subscribers.
        """
        while True:
            if conflict is not None:
                await self._sync.catch_up([loaded])
                if loaded.match.version == conflict.expected_version:  # the database has no newer events
                    loaded.invalidate()
            while loaded.pending_write is not None:
                await loaded.pending_write
            if loaded.invalidated:
                raise transitions.not_saved_error()
            try:
                pending = transition()
            except LiminaError:
                # Another process may have added events that this one has not read: then call it again.
                version, conflict = loaded.match.version, None
                await self.refresh(loaded)
                if loaded.match.version == version:
                    raise
                continue
            if pending is None:
                return
            result = await self._save(loaded, pending, watched_until=watched_until)
            if result is WriteResult.COMMITTED:
                return
            conflict = pending if result is WriteResult.CONFLICT else None

    def _save(
        self, loaded: LoadedMatch, pending: PendingEvents, turn: PendingTurn | None = None, watched_until: int = 0
    ) -> PendingWrite:
        """Append pending events, with the jobs of the bots to move. The jobs belong to the current client."""
        if loaded.subscribers:
            watched_until = now() + WATCHED_MILLISECONDS
        append = pending.to_append(*self.bot_turns.changes(pending, watched_until))
        write = self._store.write(append, partial(self._settle, loaded, pending, turn, copy_context()))
        loaded.pending_write = None if write.done() else write
        return write

    def _settle(
        self,
        loaded: LoadedMatch,
        pending: PendingEvents,
        turn: PendingTurn | None,
        context: Context,
        result: WriteResult,
    ) -> None:
        """Apply and publish saved events, and answer the turn."""
        loaded.pending_write = None
        try:
            if result is WriteResult.COMMITTED:
                # The callbacks of the turn run later on the loop. They are scheduled before the update is sent, so that
                # the answer leaves in the same packet as the update.
                loaded.apply_events(pending.events, pending.situation, turn.answer if turn is not None else None)
                if loaded.match.is_over:
                    self.bots.release(loaded)
            elif result is WriteResult.FAILED:
                loaded.invalidate()
        finally:
            if turn is not None and not turn.done():
                conflict = pending if result is WriteResult.CONFLICT else None
                context.run(self._run_in_background, self._play(turn, conflict))

    # --- bots

    async def requeue_bots(self, loaded: LoadedMatch) -> None:
        """Write the jobs of all bots that are to move."""

        def pending_events() -> PendingEvents | None:
            pending = PendingEvents(loaded.match)
            pending.requeues = True
            return pending if loaded.match.bots_to_move() else None

        await self._change(loaded, pending_events)

    async def play_bot(self, loaded: LoadedMatch, seat_index: int, watched_until: int) -> None:
        """Let the bot of a seat choose and play its turn, or replace it if it fails.

        Do nothing if the turn is played or taken back meanwhile.
        """
        match = loaded.match
        identity = _, turn_index, seat = match.turn_identity(seat_index)

        def unless_obsolete(transition: Transition) -> Transition:
            return lambda: None if match.turn_identity(seat_index) != identity else transition()

        loaded.bots_running += 1
        transition: Transition
        try:
            turn = await self.bots.choose(loaded, seat_index)
            transition = partial(transitions.play_turn, match, seat_index, turn_index, turn, None)
        except BotError as error:
            # With the cause, for the host. Players get a short sentence.
            _LOG.warning("match %s: the bot %s failed: %s", match.id, seat.bot, error)
            transition = partial(transitions.replace_bot, match, seat_index, error.kind)
        finally:
            loaded.bots_running -= 1
        await self._change(loaded, unless_obsolete(transition), watched_until=watched_until)
