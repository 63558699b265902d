"""The services: all objects that answer requests, built once from the settings."""

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
    """The backend and the parts that HTTP and sockets need. Nothing is opened before `start`."""

    def __init__(self, settings: ServerSettings) -> None:
        self.store = Store(url_of(settings), shared=settings.shared or settings.processes > 1)
        bots = BotRunner(HostedBots(settings.bots, settings.bot_timeout_seconds))
        self.backend = backend = Backend(self.store, bots, runs_jobs=settings.runs_jobs)
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
        """Raise the limit of open files if necessary, and start the backend."""
        self.connections.raise_descriptor_limit()
        await self.backend.start()

    async def stop(self) -> None:
        """Stop the subprocesses and the backend."""
        await self.records.stop()
        await self.renders.stop()
        await self.backend.stop()
