"""FastAPI dependencies, as annotated types for the signatures of routes.

All are coroutines, because FastAPI runs other functions in threads. Each one adds about 8 µs to a request.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, NamedTuple

from fastapi import Depends, Header, Request

from limina.server.analysis import Hints, Renders, Reviews, SubprocessPool
from limina.server.live.messages import MessageBuilder
from limina.server.matches import LoadedMatch, Match, MatchService, visibility
from limina.server.monitoring.metrics import Metrics
from limina.server.monitoring.readiness import Readiness
from limina.server.network.rate_limits import client_of
from limina.server.schemas.matches import MAX_SEATS, MatchId
from limina.server.services import Services
from limina.server.storage import Store

_SEAT_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,64}")


def services_of(request: Request) -> Services:
    """Return the services of the application."""
    services: Services = request.app.state.services
    return services


def _service(name: str) -> Any:
    """Return a dependency on one attribute of Services."""

    async def get_service(request: Request) -> Any:
        return getattr(services_of(request), name)

    return Depends(get_service)


MatchesDep = Annotated[MatchService, _service("matches")]
MessagesDep = Annotated[MessageBuilder, _service("messages")]
StoreDep = Annotated[Store, _service("store")]
ReviewsDep = Annotated[Reviews, _service("reviews")]
HintsDep = Annotated[Hints, _service("hints")]
RecordsDep = Annotated[SubprocessPool, _service("records")]
RendersDep = Annotated[Renders, _service("renders")]
MetricsDep = Annotated[Metrics, _service("metrics")]
ReadinessDep = Annotated[Readiness, _service("readiness")]


@dataclass(frozen=True, slots=True)
class Actor:
    """The sender of a request, identified by seat tokens."""

    seat_tokens: tuple[str, ...]


_SeatTokens = Annotated[
    str,
    Header(
        alias="Limina-Seat-Tokens", max_length=1000, description="Tokens of your seats in the match, joined by commas"
    ),
]


async def identify(seat_tokens: _SeatTokens = "") -> Actor:
    """Return the sender of a request. Malformed tokens are ignored."""
    tokens = seat_tokens.replace(" ", "").split(",")[:MAX_SEATS]
    return Actor(tuple(token for token in tokens if _SEAT_TOKEN.fullmatch(token)))


CurrentActor = Annotated[Actor, Depends(identify)]


class Access(NamedTuple):
    """A match and the seats that the actor holds in it."""

    loaded: LoadedMatch
    seats: tuple[int, ...]

    @property
    def match(self) -> Match:
        """The state of the match."""
        return self.loaded.match


async def find_match(request: Request, match_id: MatchId, seat_tokens: _SeatTokens = "") -> Access:
    """Return the match of the path. Raise RefusedError if the actor may not see it."""
    actor = await identify(seat_tokens)  # a direct call saves the 8 µs of a dependency
    loaded = await services_of(request).matches.get(match_id)
    seats = loaded.match.seats_of(actor.seat_tokens)
    visibility.check_can_watch(loaded.match, seats)
    return Access(loaded, seats)


MatchAccess = Annotated[Access, Depends(find_match)]


async def _rate_limiter(request: Request) -> Callable[..., None]:
    return partial(services_of(request).limits.take, client_of(request.scope))


RateLimitDep = Annotated[Callable[..., None], Depends(_rate_limiter)]
"""Function that counts one act of the client under each named rate. Raises RefusedError if it exceeds one."""


async def _hold_analysis(request: Request) -> AsyncIterator[None]:
    with services_of(request).limits.hold("analysis", client_of(request.scope)):
        yield


ANALYSIS = Depends(_hold_analysis)
"""Counts an analysis of the client until the response is sent. Raises RefusedError if the client has too many."""
