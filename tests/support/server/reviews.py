"""Reviews of a backend without HTTP, optionally with another program in place of the review process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from limina.server.backend import POOLS, Backend
from limina.server.jobs import PoolLimits
from limina.server.matches import BotRunner
from limina.server.settings import ServerSettings
from limina.server.storage import Store, url_of


@asynccontextmanager
async def review_backend(
    folder: Path, command: Sequence[str] | None = None, limits: PoolLimits | None = None
) -> AsyncIterator[Backend]:
    """Run a backend whose reviews run this command."""
    pools = POOLS if limits is None else {**POOLS, "reviews": limits}
    backend = Backend(Store(url_of(ServerSettings(data=folder))), BotRunner(), pools)
    if command is not None:
        backend.reviews._command = command
    await backend.start()
    try:
        yield backend
    finally:
        await backend.stop()
