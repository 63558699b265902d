"""Reviews of a server without HTTP, made by a program of the test's choice."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from limina.server.backend import POOLS, Backend
from limina.server.jobs import PoolLimits
from limina.server.matches import BotRunner
from limina.server.settings import Settings
from limina.server.storage import Store, url_of


@asynccontextmanager
async def review_backend(
    folder: Path, worker: Sequence[str] | None = None, limits: PoolLimits | None = None
) -> AsyncIterator[Backend]:
    """A server's backend whose reviews are made by this program."""
    pools = POOLS if limits is None else {**POOLS, "reviews": limits}
    backend = Backend(Store(url_of(Settings(data=folder))), BotRunner(), pools)
    if worker is not None:
        backend.reviews._worker = worker
    await backend.start()
    try:
        yield backend
    finally:
        await backend.stop()
