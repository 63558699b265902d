"""Everything that answers requests, put together once from the ground up."""

from __future__ import annotations

from limina.server.analysis import Renders, SubprocessPool
from limina.server.backend import Backend
from limina.server.live.messages import MessageBuilder
from limina.server.matches import BotRunner, HostedBots
from limina.server.monitoring.metrics import Metrics
from limina.server.monitoring.readiness import Readiness
from limina.server.network.connections import Connections, TrustedProxies
from limina.server.network.origins import Origins
from limina.server.network.rate_limits import RateLimits
from limina.server.settings import ServerSettings
from limina.server.storage import Store, url_of


class Services:
    """Everything behind the web, built from the settings. Nothing is opened or connected before the start."""

    def __init__(self, settings: ServerSettings) -> None:
        self.store = Store(url_of(settings), shared=settings.shared or settings.processes > 1)
        bots = BotRunner(HostedBots(settings.bots, settings.bot_timeout_seconds))
        self.backend = backend = Backend(self.store, bots, works=settings.runs_jobs)
        self.matches, self.reviews, self.hints = backend.matches, backend.reviews, backend.hints
        self.records = SubprocessPool()
        self.renders = Renders()
        self.limits = RateLimits(settings.client_limits)
        self.connections = Connections(self.limits, TrustedProxies(settings.trusted_proxies))
        self.messages = MessageBuilder()
        self.origins = Origins(settings)
        self.readiness = Readiness(self.store)
        self.metrics = Metrics(enabled=settings.metrics_address is not None)
        self.metrics.register_gauges(
            {
                "limina_connections": ("Open connections", lambda: len(self.connections)),
                "limina_sockets": ("Open sockets", self.limits.socket_count),
                "limina_bots_busy": ("Bots that think", lambda: bots.running),
                "limina_jobs_waiting": ("Jobs that wait, of all processes", lambda: dict(backend.queue.waiting)),
                "limina_jobs_running": ("Jobs that run, of all processes", lambda: dict(backend.queue.running)),
            },
            lambda: self.store.commits,
        )

    async def start(self) -> None:
        """Open the database."""
        self.connections.raise_descriptor_limit()
        await self.backend.start()

    async def stop(self) -> None:
        """Think no more, save what is left to save."""
        await self.records.stop()
        await self.renders.stop()
        await self.backend.stop()
