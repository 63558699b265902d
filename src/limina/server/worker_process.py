"""The process of `limina worker`: does the jobs of servers that share a database, and nothing else."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Callable

from limina.errors import LiminaError
from limina.server.analysis.hints import HINT_POOL
from limina.server.analysis.reviews import review_pool
from limina.server.backend import Backend
from limina.server.log_format import configure_logging
from limina.server.matches import BotRunner, HostedBots
from limina.server.matches.bot_runner import bot_pools
from limina.server.settings import ServerSettings
from limina.server.storage import Store, url_of


def run_worker(settings: ServerSettings, bots: int, reviews: int, ready: Callable[[], None]) -> int:
    """Do jobs until told to stop, so many at once; `ready` is called once that has begun."""
    configure_logging(settings.log_format)
    url = url_of(settings)
    if url.get_backend_name() == "sqlite":
        raise LiminaError(
            "a worker does the jobs of servers that share a PostgreSQL: name it with --database or LIMINA_DATABASE"
        )
    runner = BotRunner(HostedBots(settings.bots, settings.bot_timeout_seconds), threads=bots)
    pools = {**bot_pools(bots), **review_pool(reviews), **HINT_POOL}
    asyncio.run(_run(Backend(Store(url, shared=True), runner, pools), ready))
    return 0


async def _run(backend: Backend, ready: Callable[[], None]) -> None:
    stopping = asyncio.Event()
    for which in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(which, stopping.set)
    await backend.start()
    # What exists now stays: the garbage collector need not look at it again.
    gc.freeze()
    try:
        ready()
        await stopping.wait()
    finally:
        await backend.stop()
