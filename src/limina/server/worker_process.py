"""The process of `limina worker`, which runs the jobs of servers that share a database."""

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


def run_worker(settings: ServerSettings, max_bots: int, max_reviews: int, on_ready: Callable[[], None]) -> int:
    """Run jobs until a signal stops the process, and return the exit status.

    `on_ready` is called when the worker claims jobs. Raise LiminaError if the database is not PostgreSQL.
    """
    configure_logging(settings.log_format)
    url = url_of(settings)
    if url.get_backend_name() == "sqlite":
        raise LiminaError(
            "a job worker needs the PostgreSQL of its servers: name it with --database or LIMINA_DATABASE"
        )
    runner = BotRunner(HostedBots(settings.bots, settings.bot_timeout_seconds), threads=max_bots)
    pools = {**bot_pools(max_bots), **review_pool(max_reviews), **HINT_POOL}
    asyncio.run(_run(Backend(Store(url, shared=True), runner, pools), on_ready))
    return 0


async def _run(backend: Backend, on_ready: Callable[[], None]) -> None:
    stopping = asyncio.Event()
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(signal_number, stopping.set)
    await backend.start()
    gc.freeze()  # never scan the objects that exist now
    try:
        on_ready()
        await stopping.wait()
    finally:
        await backend.stop()
