"""The one way to change a match: judged against what is saved, saved, and only then told to anyone."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from contextvars import Context, copy_context
from dataclasses import replace
from functools import partial
from itertools import islice

from limina.bots import BotFailure
from limina.errors import LiminaError
from limina.server.errors import RefusedError, UnavailableError
from limina.server.jobs import JobQueue
from limina.server.matches import judging
from limina.server.matches.bot_jobs import BotJobs
from limina.server.matches.bot_runner import BotRunner
from limina.server.matches.follower import Follower
from limina.server.matches.match import Draft, Match, Played, hash_of
from limina.server.matches.new_match import MatchRequest, check_bot, new_key, new_match, rematch_of
from limina.server.model import Seat
from limina.server.storage import Store, Writing, Written

_MOST_IN_MEMORY = 5000
_LOOKED_AT = 100
"""How many of the oldest are looked at when there are more."""
_SHORT = 200
"""Events that are replayed at once; a longer match is replayed beside the event loop."""
_LOG = logging.getLogger("limina.server")

Judge = Callable[[], Draft | None]
"""Says what is to happen in a match as it stands, or that nothing is left to do; or refuses."""


class Authority:
    """All matches, as far as they are in use, and the way to everything else through the store."""

    def __init__(self, store: Store, bots: BotRunner | None = None, queue: JobQueue | None = None) -> None:
        self.bots = bots or BotRunner()
        self._store = store
        self._matches: OrderedDict[str, Match] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Match]] = {}
        self._thinking: set[asyncio.Task[None]] = set()
        self._closing = False
        self._queue = queue
        self.bot_jobs = None if queue is None else BotJobs(self, store, self.bots, queue)
        """Bots' turns, where they are jobs that any of several processes may do."""
        self._follower = Follower(store, self._matches, self._forget, self.schedule_bots, self._followed)

    async def close(self) -> None:
        """Let no bot think any longer."""
        self._closing = True
        await self._follower.close()
        if self.bot_jobs is not None:
            await self.bot_jobs.close()
        for task in self._thinking:
            task.cancel()
        await asyncio.gather(*self._thinking, return_exceptions=True)
        await self.bots.stop()

    # --- finding

    async def find(self, match: str) -> Match:
        """The match with this id, as it is stored now. Bots that are to move in it begin to think."""
        found = await self.look_up(match)
        self.schedule_bots(found)
        return found

    async def refresh(self, match: Match) -> None:
        """Bring a match that is at hand up to what is stored now, where others may have changed it."""
        if self._store.shared:
            await self._follower.refresh(match)

    def attend(self, match: Match) -> None:
        """Somebody watches a match from now on."""
        self._follower.attend(match)

    async def catch_up(self, matches: Iterable[Match]) -> None:
        """Read what is new in matches that others have added to."""
        await self._follower.catch_up(matches)

    async def look_up(self, match: str, version: int | None = None) -> Match:
        """The match with this id, at least at a version if one is known. Wakes no bot."""
        found = self._matches.get(match)
        if found is not None and not found.broken:
            self._matches.move_to_end(match)
            if self._store.shared:
                await self._follower.refresh(found, version)
            if not found.broken:
                return found
        task = self._loading.get(match)
        if task is None:
            task = self._loading[match] = asyncio.create_task(self._load(match))
            task.add_done_callback(lambda _: self._loading.pop(match, None))
            try:
                return await asyncio.shield(task)
            finally:
                del task  # it has the error, which has this: whoever asked would be kept with them
        # Others have asked before us, and it may have been read before something was added that we know of.
        await asyncio.shield(task)
        return await self.look_up(match, version)

    async def _load(self, match: str) -> Match:
        try:
            stored = await self._store.load(match)
            if stored is None or len(stored.events) <= _SHORT:
                restored = None if stored is None else Match.restore(stored)
            else:
                restored = await asyncio.to_thread(Match.restore, stored)
        except UnavailableError:
            raise
        except Exception as error:  # nothing of what is hidden in it goes anywhere: only that it is so
            _LOG.error("the game %s cannot be read: %s", match, type(error).__name__)
            raise RefusedError("unavailable", "this game is damaged and cannot be read") from None
        if restored is None:
            raise RefusedError("not_found", "there is no such game")
        self._keep(restored)
        return restored

    def _keep(self, match: Match) -> None:
        self._matches[match.id] = match
        if len(self._matches) <= _MOST_IN_MEMORY:
            return
        for old in list(islice(self._matches.values(), _LOOKED_AT)):
            if len(self._matches) <= _MOST_IN_MEMORY:
                return
            if old is match or old.listeners or old.thinking or old.saving is not None:
                # Not looked at again before all others: those in use must not keep the rest in memory.
                self._matches.move_to_end(old.id)
            else:
                del self._matches[old.id]

    async def mine(self, keys: Iterable[str], most: int) -> list[tuple[Match, tuple[int, ...], int]]:
        """The matches in which these keys have seats, with the seats and the time of the last event. Wakes no bot."""
        hashes = {hash_of(key) for key in keys}
        found = await self._store.matches_of(hashes, most)
        result = []
        for match_id, version, latest in found:
            with contextlib.suppress(RefusedError):  # one that is damaged does not hide the others
                match = await self.look_up(match_id, version)
                result.append((match, match.seats_held(hashes), latest))
            await asyncio.sleep(0)  # those that are at hand are found without waiting, and others wait meanwhile
        return result

    # --- beginning

    async def create(self, wanted: MatchRequest) -> tuple[Match, dict[int, str]]:
        """Begin a match; the keys to the seats of whoever asked."""
        match, keys = new_match(wanted, self.bots.hosted)
        self.bots.check_room(match, self._queue)
        saved, draft = judging.begun(match)
        if await self._store.create(saved) is not Written.SAVED:
            raise judging.not_saved()
        match.take(draft.events, draft.situations)
        self._keep(match)
        self.schedule_bots(match)
        return match, keys

    async def rematch(self, match: Match, mine: tuple[int, ...]) -> Match:
        """Begin the same once more; all keys fit the new match too. Asked twice, it is the same match."""
        if not mine:
            raise RefusedError("forbidden", "only players of this game can begin a rematch")

        def judge() -> Draft | None:
            if not match.over:
                raise RefusedError("conflict", "this game is not over yet")
            if match.rematch is not None:
                return None
            fresh = rematch_of(match)
            self.bots.check_room(fresh, self._queue)
            draft = Draft(match)
            draft.begins, _ = judging.begun(fresh)
            draft.add("rematch", draft.begins.id)
            return draft

        await self._change(match, judge)
        assert match.rematch is not None
        return await self.find(match.rematch)

    # --- seats

    async def join(self, match: Match, name: str, seat: int | None = None, key: str | None = None) -> tuple[int, str]:
        """Take a seat, or the first open one; the seat and its key. A retry with a key of one's own gets the same."""
        key = key or new_key()
        taken = 0

        def judge() -> Draft | None:
            nonlocal taken
            held = match.seats_of([key])
            if held and seat in (None, held[0]):
                taken = held[0]
                return None
            taken = judging.open_seat(match, seat)
            return judging.seated(match, taken, Seat("person", name, None, hash_of(key)))

        await self._change(match, judge)
        return taken, key

    async def fill(self, match: Match, mine: tuple[int, ...], seat: int, bot: str) -> None:
        """Let a bot take an open seat."""
        if not mine:
            raise RefusedError("forbidden", "only players of this game can invite a bot")
        level = check_bot(match.game, bot, self.bots.hosted)
        sitting = Seat("bot", level, level)

        def judge() -> Draft:
            number = judging.open_seat(match, seat)
            self.bots.check_room(replace(match, seats=[*match.seats[:number], sitting, *match.seats[number + 1 :]]))
            return judging.seated(match, number, sitting)

        await self._change(match, judge)

    # --- turns

    async def play(self, match: Match, mine: tuple[int, ...], seat: int, number: int, text: str, key: str) -> Played:
        """Play a turn; returns once it is saved. The same turn sent again is answered, not played again.

        `number` is how many turns the seat has played before, `key` what this turn alone has.
        """
        judging.check_held(match, mine, seat)
        await self._change(match, lambda: judging.turn_once(match, seat, number, text, key))
        return match.played[key]

    def play_soon(
        self,
        match: Match,
        mine: tuple[int, ...],
        seat: int,
        number: int,
        text: str,
        key: str,
        done: Callable[[bool], None],
    ) -> bool:
        """Play a turn, if nothing has to be awaited first; else False, and `play` will do.

        `done` is told whether it was saved; where it was not, `play` will do again. A task that waits would cost more
        than all else that is done for a turn.
        """
        judging.check_held(match, mine, seat)
        if match.saving is not None or match.broken:
            return False
        try:
            draft = judging.turn_once(match, seat, number, text, key)
        except LiminaError:  # perhaps others have gone on, and nobody has told yet
            return False
        if draft is None:
            done(True)
        else:
            self._save(match, draft, done)
        return True

    async def take_back(
        self, match: Match, mine: tuple[int, ...], seat: int, number: int, seen: int | None = None
    ) -> None:
        """Take back the seat's turn of this number, its last, with the bots' answers; asked again, nothing happens.

        Nor does it where the turn that stands there came after the version that was `seen`.
        """
        judging.check_held(match, mine, seat)
        await self._change(match, lambda: judging.taken_back(match, seat, number, seen))

    # --- saving

    async def _change(self, match: Match, judge: Judge) -> None:
        """Let happen what is judged to; returns once it is saved. Where others were faster, it is judged again."""
        while True:
            while match.saving is not None:
                await match.saving
            if match.broken:
                raise judging.not_saved()
            try:
                draft = judge()
            except LiminaError:
                # Perhaps others have gone on, and nobody has told yet: then it is judged again.
                known = match.version
                await self.refresh(match)
                if match.version == known:
                    raise
                continue
            if draft is None:
                return
            expected = match.version
            written = await self._save(match, draft)
            if written is Written.SAVED:
                return
            if written is Written.LOST:
                await self._follower.catch_up([match])
                if match.version == expected:  # nothing there explains it
                    self._forget(match)

    def _save(self, match: Match, draft: Draft, done: Callable[[bool], None] | None = None) -> Writing:
        """Have it saved. All are told before whoever asked gets an answer, and bots think in the name of the same."""
        match.saving = saving = self._store.append(draft.to_append())
        saving.settle(partial(self._settle, match, draft, copy_context(), done))
        return saving

    def _settle(
        self, match: Match, draft: Draft, asked: Context, done: Callable[[bool], None] | None, written: Written
    ) -> None:
        match.saving = None
        try:
            if written is Written.SAVED:
                match.take(draft.events, draft.situations)
                asked.run(self.schedule_bots, match)
            elif written is Written.FAILED:
                self._forget(match)
        finally:
            if done is not None:
                done(written is Written.SAVED)

    def _forget(self, match: Match) -> None:
        """Believe the store, not the memory; listeners have to come back."""
        match.broken = True
        if self._matches.get(match.id) is match:
            del self._matches[match.id]
        match.notify(None)

    # --- bots

    def schedule_bots(self, match: Match, *, again: bool = False) -> None:
        """Let every bot think that is to move and does not think already; `again` if that was in vain before."""
        if match.over:
            self.bots.leave(match)
        if self._closing:
            return
        if self.bot_jobs is not None:
            self.bot_jobs.ask(match, again=again)
            return
        for seat in match.to_move:
            if match.seats[seat].kind == "bot" and seat not in match.thinking and not match.broken:
                match.thinking.add(seat)
                task = asyncio.create_task(self._play_bot(match, seat))
                self._thinking.add(task)
                task.add_done_callback(self._thinking.discard)

    def _followed(self, match: Match) -> None:
        if self.bot_jobs is not None:
            self.bot_jobs.look_after(match)

    async def _play_bot(self, match: Match, seat: int) -> None:
        try:
            await self._let_play(match, seat, self.bots.choose)
        except LiminaError as error:
            # It could not be saved. The next look at the match begins again. What was played stays out of the log.
            _LOG.error("a bot could not play: %s", type(error).__name__)

    async def play_bot(self, match: Match, seat: int) -> None:
        """Let the bot think that sits there, if it does not already. Somebody has seen that it is to move."""
        if seat not in match.thinking:
            match.thinking.add(seat)
            await self._let_play(match, seat, self.bots.choose_now)

    async def _let_play(self, match: Match, seat: int, choose: Callable[[Match, int], Awaitable[str]]) -> None:
        moment = taken_back, number, sitting = match.moment(seat)

        def unless_done(judge: Judge) -> Judge:
            """Another process may let the same bot think: whoever is second does nothing. Nor does whoever has thought
            about a turn that was taken back."""
            return lambda: None if match.moment(seat) != moment else judge()

        try:
            turn = await choose(match, seat)
            await self._change(match, unless_done(lambda: judging.turn(match, seat, number, turn, None)))
        except BotFailure as failure:
            # For the host: to the players it is told in fewer words.
            _LOG.warning("the bot %s failed: %s", sitting.bot, failure)
            how = failure.how
            await self._change(match, unless_done(lambda: judging.replaced(match, seat, how)))
        finally:
            match.thinking.discard(seat)
        if match.moment(seat) != moment:
            # A job for the turn that came instead of one taken back has found the bot thinking, and is gone.
            self.schedule_bots(match, again=match.taken_back != taken_back)
