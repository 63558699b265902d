"""Everything that answers requests, put together once from the ground up."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request

from limina.server.analysis import Hints, Reviews
from limina.server.matches import Authority, BotRunner, HostedBots
from limina.server.settings import Settings
from limina.server.storage import Store, url_of
from limina.server.web.rate_limits import RateLimits


@dataclass(frozen=True, slots=True)
class Services:
    """The rooms behind the web. They hold nothing and reach nowhere until they are started."""

    store: Store
    authority: Authority
    reviews: Reviews
    hints: Hints
    limits: RateLimits

    @classmethod
    def of(cls, settings: Settings) -> Services:
        """What these settings ask for."""
        store = Store(url_of(settings), shared=settings.shared or settings.processes > 1)
        authority = Authority(store, BotRunner(HostedBots(settings.bots, settings.bot_seconds)))
        return cls(store, authority, Reviews(store), Hints(), RateLimits(settings.allowed))

    async def start(self) -> None:
        """Open the database."""
        await self.store.open()

    async def stop(self) -> None:
        """Think no more, save what is left to save."""
        self.hints.stop()
        await self.reviews.stop()
        await self.authority.close()
        await self.store.close()


def services_of(request: Request) -> Services:
    """The services behind the application that was asked."""
    services: Services = request.app.state.services
    return services
