"""Everything that answers requests, put together once from the ground up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import Request

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


@dataclass(frozen=True, slots=True)
class Services:
    """The rooms behind the web. They hold nothing and reach nowhere until they are started."""

    store: Store
    work: SharedWork | None
    """Jobs, where several processes share them."""
    authority: MatchService
    reviews: Reviews
    readers: RecordReaders
    makers: Makers
    hints: Hints
    limits: RateLimits
    connections: Connections
    messages: MessageBuilder
    origins: Origins
    readiness: Readiness
    metrics: Metrics

    @classmethod
    def of(cls, settings: Settings) -> Services:
        """What these settings ask for."""
        store = Store(url_of(settings), shared=settings.shared or settings.processes > 1)
        bots = BotRunner(HostedBots(settings.bots, settings.bot_seconds))
        work = _shared_work(store, bots, settings) if store.shared else None
        authority = MatchService(store, bots) if work is None else work.authority
        limits = RateLimits(settings.allowed)
        connections = Connections(limits, Proxies(settings.proxy))
        metrics = Metrics(served=settings.metrics is not None)
        metrics.read(
            {
                "limina_connections": ("Open connections", lambda: len(connections)),
                "limina_sockets": ("Open sockets", limits.sockets),
                "limina_bots_busy": ("Bots that think or wait for it", lambda: authority.bots.busy),
                **({} if work is None else _jobs(work)),
            },
            lambda: store.commits,
        )
        return cls(
            store,
            work,
            authority,
            Reviews(store) if work is None else work.reviews,
            RecordReaders(),
            Makers(),
            Hints() if work is None else work.hints,
            limits,
            connections,
            MessageBuilder(),
            Origins(settings),
            Readiness(store),
            metrics,
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


def services_of(request: Request) -> Services:
    """The services behind the application that was asked."""
    services: Services = request.app.state.services
    return services
