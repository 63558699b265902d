"""The limits of job pools, and fair scheduling between clients."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass

from limina.server.errors import RefusedError
from limina.server.model import Job

__all__ = ["CURRENT_CLIENT", "FairShare", "Job", "PoolLimits"]
CURRENT_CLIENT: ContextVar[str] = ContextVar("client", default="")
"""The client whose request is being answered, or the keyed hash of the client of the job that runs. New jobs belong to
this client."""
_RETRY_SECONDS = 10


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """The limits of a job pool: how many jobs run in one process, and how many wait in all processes."""

    max_running: int
    max_running_per_client: int
    """In a pool of long jobs it is less than `max_running`, to keep capacity for other clients."""
    max_waiting: int
    max_waiting_per_client: int
    message: str
    """The error text when the pool is full."""

    def check(self, waiting: int, waiting_of_client: int) -> None:
        """Raise RefusedError if no further job may wait."""
        if waiting_of_client >= self.max_waiting_per_client:
            raise RefusedError("rate_limited", self.message, retry_after=_RETRY_SECONDS)
        if waiting >= self.max_waiting:
            raise RefusedError("unavailable", self.message, retry_after=_RETRY_SECONDS)


class FairShare:
    """Start-time fair queueing between the clients of a pool.

    Virtual time is expected work in milliseconds. A client's next job starts, in virtual time, when its last one was
    expected to end, or now if that is later. The client whose next job starts first is served next.

    >>> share, order = FairShare(), []
    >>> for _ in range(5):
    ...     client = min(("ada", "ben"), key=share.start)
    ...     share.charge(client, 300 if client == "ada" else 100)
    ...     order.append(client)
    >>> order
    ['ada', 'ben', 'ben', 'ben', 'ada']
    """

    def __init__(self) -> None:
        self._now = 0.0
        self._ends: dict[str, float] = {}

    def start(self, client: str) -> float:
        """Return the virtual time at which the client's next job starts."""
        return max(self._now, self._ends.get(client, 0.0))

    def charge(self, client: str, cost: float) -> None:
        """Count a job that starts now."""
        self._now = self.start(client)
        self._ends[client] = self._now + max(cost, 1.0)
        if len(self._ends) > 1000:
            self._ends = {client: end for client, end in self._ends.items() if end > self._now}

    def reset(self) -> None:
        """Forget all charges. Call it when no job runs or waits."""
        self._now = 0.0
        self._ends.clear()
