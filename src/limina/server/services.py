"""Everything that answers requests, put together once from the ground up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limina.server.analysis import Hints, Makers, RecordReaders, Reviews
from limina.server.live.messages import MessageBuilder
from limina.server.matches import BotRunner, HostedBots, MatchService
from limina.server.settings import Settings
from limina.server.storage import Store, url_of
from limina.server.web.connections import Connections, Proxies
from limina.server.web.metrics import Gauge, Metrics
from limina.server.web.origins import Origins
from limina.server.web.rate_limits import RateLimits
from limina.server.web.readiness import Readiness

if TYPE_CHECKING:
    from limina.server.workers import SharedWork


class Services:
    """Everything behind the web, built from the settings. Nothing is opened or connected before the start."""

    def __init__(self, settings: Settings) -> None:
        self.store = Store(url_of(settings), shared=settings.shared or settings.processes > 1)
        bots = BotRunner(HostedBots(settings.bots, settings.bot_seconds))
        self.work = work = _shared_work(self.store, bots, settings) if self.store.shared else None
        self.authority = MatchService(self.store, bots) if work is None else work.authority
        self.reviews = Reviews(self.store) if work is None else work.reviews
        self.hints = Hints() if work is None else work.hints
        self.readers = RecordReaders()
        self.makers = Makers()
        self.limits = RateLimits(settings.allowed)
        self.connections = Connections(self.limits, Proxies(settings.proxy))
        self.messages = MessageBuilder()
        self.origins = Origins(settings)
        self.readiness = Readiness(self.store)
        self.metrics = Metrics(served=settings.metrics is not None)
        self.metrics.read(
            {
                "limina_connections": ("Open connections", lambda: len(self.connections)),
                "limina_sockets": ("Open sockets", self.limits.sockets),
                "limina_bots_busy": ("Bots that think or wait for it", lambda: self.authority.bots.busy),
                **({} if work is None else _jobs(work)),
            },
            lambda: self.store.commits,
        )

    async def start(self) -> None:
        """Open the database."""
        self.connections.fit_descriptors()
        await self.store.open()
        if self.work is not None:
            self.work.start()

    async def stop(self) -> None:
        """Think no more, save what is left to save."""
        self.hints.stop()
        await self.reviews.stop()
        await self.readers.stop()
        await self.makers.stop()
        await (self.authority.close() if self.work is None else self.work.stop())
        await self.store.close()


def _jobs(work: SharedWork) -> dict[str, Gauge]:
    queue = work.queue
    return {
        "limina_jobs_waiting": ("Jobs in the queue of all processes", lambda: dict(queue.waiting)),
        "limina_jobs_running": ("Jobs that any of the processes does", lambda: dict(queue.running)),
    }


def _shared_work(store: Store, bots: BotRunner, settings: Settings) -> SharedWork:
    from limina.server.workers import SharedWork, lanes_of  # the queue is loaded only where it is used

    return SharedWork(store, bots, lanes_of(), works=settings.jobs)
