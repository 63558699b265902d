"""The store: the only place with SQL. Whatever arrives while a commit is running shares the next transaction."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import URL, delete, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from limina.server.errors import UnavailableError
from limina.server.model import Change, SavedMatch, SavedReview
from limina.server.storage import migrations, rows
from limina.server.storage.database import make_engine, unusable
from limina.server.storage.tables import matches, reviews, seats, steps

_INSERT_STEPS = insert(steps)
_MOST_TOGETHER = 2000
MOST_REVIEWS = 1000
"""Older ones go; they can be made again."""
_LOG = logging.getLogger("limina.server")

Saved = asyncio.Future[bool]
"""Whether something was saved, once that is known."""


@dataclass(slots=True)
class _Waiting:
    """What is to be saved together, and what must have been saved before it."""

    parts: Sequence[Change | SavedReview]
    after: Saved | None
    saved: Saved

    @property
    def orphaned(self) -> bool:
        """Whether what it builds on was not saved. What is not known yet is in the same transaction, before it."""
        before = self.after
        return before is not None and before.done() and (before.cancelled() or not before.result())

    def tell(self, result: bool) -> None:
        """Let whoever waits know."""
        if not self.saved.done():
            self.saved.set_result(result)


class Store:
    """The database behind all matches: nothing is known of it before `open`, and nothing is read after `close`."""

    def __init__(self, url: URL) -> None:
        self._url = url
        self._engine: AsyncEngine
        self._waiting: list[_Waiting] = []
        self._writing: AsyncConnection | None = None
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._stopping = False
        self.commits = 0

    async def open(self) -> None:
        """Connect, bring the tables up to date and begin to write."""
        try:
            self._engine = make_engine(self._url)
        except Exception as error:
            raise unusable(error) from None
        try:
            async with self._engine.connect() as connection:
                await connection.run_sync(migrations.upgrade)
                await connection.commit()
        except Exception as error:  # of the database, its driver, the network or the migrations
            await self._engine.dispose()
            raise unusable(error) from None
        self._writer = asyncio.create_task(self._write_on())

    async def close(self) -> None:
        """Write what is waiting and let go."""
        if self._writer is None:
            return
        self._stopping = True
        self._wake.set()
        await self._writer
        if self._writing is not None:
            await self._writing.close()
        await self._engine.dispose()

    # --- writing

    def save(self, *parts: Change | SavedReview, after: Saved | None = None) -> Saved:
        """Save all of this or nothing with the next transaction: whether it was, known in the order of the commits.

        What builds on something that is not saved yet names it as `after`, and fails if that fails. Whoever waits for
        the answer and may be cancelled shields it (`asyncio.shield`): it is others' answer too.
        """
        saved: Saved = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(parts, after, saved))
        self._wake.set()
        return saved

    async def _write_on(self) -> None:
        while self._waiting or not self._stopping:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                group, self._waiting = self._waiting[:_MOST_TOGETHER], self._waiting[_MOST_TOGETHER:]
                await self._commit(group)

    async def _commit(self, group: list[_Waiting]) -> None:
        sound = []
        for each in group:
            if each.orphaned:
                each.tell(False)
            else:
                sound.append(each)
        if not sound:
            return
        try:
            if self._writing is None:
                self._writing = await self._engine.connect()
            async with self._writing.begin():
                await _execute(self._writing, [part for each in sound for part in each.parts])
        except Exception as error:  # whatever it was: the others still want to be saved
            _LOG.error("something could not be saved: %s", type(error).__name__)
            await self._let_go()
            if len(sound) == 1:
                sound[0].tell(False)
                return
            # Something in the group cannot be saved: each for itself, so that only that one fails.
            for each in sound:
                await self._commit([each])
            return
        self.commits += 1
        for each in sound:
            each.tell(True)

    async def _let_go(self) -> None:
        """Close the connection that writes; after an error the next write gets a new one."""
        connection, self._writing = self._writing, None
        if connection is not None:
            with contextlib.suppress(SQLAlchemyError, OSError):
                await connection.invalidate()
                await connection.close()

    # --- reading

    @contextlib.asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self._engine.connect() as connection:
                yield connection
        except Exception as error:  # of the database, its driver or the network
            _LOG.error("something could not be read: %s", type(error).__name__)
            raise UnavailableError("the games cannot be read just now: please try again") from None

    async def load(self, match: str) -> SavedMatch | None:
        """A match with its seats and steps."""
        async with self._reading() as connection:
            row = (await connection.execute(select(matches).where(matches.c.id == match))).one_or_none()
            if row is None:
                return None
            taken = await connection.execute(select(seats).where(seats.c.match == match).order_by(seats.c.seat))
            done = await connection.execute(select(steps).where(steps.c.match == match).order_by(steps.c.number))
            found = row, taken.all(), done.all()
        return rows.read_match(*found)

    async def ping(self) -> None:
        """Whether the database answers; UnavailableError where it does not."""
        async with self._reading() as connection:
            await connection.execute(select(1))

    async def matches_of(self, key_hashes: Iterable[str], most: int) -> list[tuple[str, int]]:
        """The matches in which these keys have seats, latest first, with the time of the last step."""
        latest = func.coalesce(func.max(steps.c.at), func.max(matches.c.created)).label("latest")
        query = (
            select(matches.c.id, latest)
            .select_from(
                matches.join(seats, seats.c.match == matches.c.id).outerjoin(steps, steps.c.match == matches.c.id)
            )
            .where(seats.c.key_hash.in_(list(key_hashes)))
            .group_by(matches.c.id)
            .order_by(latest.desc())
            .limit(most)
        )
        async with self._reading() as connection:
            return [(row.id, row.latest) for row in await connection.execute(query)]

    async def review(self, key: str, version: str) -> bytes | None:
        """A review that was kept, if this version made it."""
        query = select(reviews.c.lines).where(reviews.c.key == key, reviews.c.version == version)
        async with self._reading() as connection:
            found: bytes | None = (await connection.execute(query)).scalar_one_or_none()
            return found


async def _execute(connection: AsyncConnection, parts: Sequence[Change | SavedReview]) -> None:
    changes = [part for part in parts if isinstance(part, Change)]
    for change in changes:
        if change.begins is not None:
            await connection.execute(insert(matches), [rows.match_row(change.begins)])
            await connection.execute(insert(seats), rows.seat_rows(change.begins))
    made = [row for change in changes for row in rows.step_rows(change)]
    if made:
        await connection.execute(_INSERT_STEPS, made)
    for change in changes:
        if change.seated is not None:
            number, seat = change.seated
            its = seats.c.match == change.match, seats.c.seat == number
            await connection.execute(update(seats).where(*its).values(**rows.seat_values(seat)))
        values = rows.match_values(change)
        if values:
            await connection.execute(update(matches).where(matches.c.id == change.match).values(**values))
    for part in parts:
        if isinstance(part, SavedReview):
            await _keep_review(connection, part)


async def _keep_review(connection: AsyncConnection, review: SavedReview) -> None:
    await connection.execute(delete(reviews).where(reviews.c.key == review.key))
    await connection.execute(insert(reviews), [rows.review_row(review)])
    oldest = select(reviews.c.made).order_by(reviews.c.made.desc()).offset(MOST_REVIEWS - 1).limit(1).scalar_subquery()
    await connection.execute(delete(reviews).where(reviews.c.made < oldest))
