"""What a job is, the limits of a pool of jobs, and the order in which clients are served."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass

from limina.server.errors import RefusedError
from limina.server.model import Job

__all__ = ["CURRENT_CLIENT", "FairShare", "Job", "PoolLimits"]
CURRENT_CLIENT: ContextVar[str] = ContextVar("client", default="")
"""The keyed hash of the client whose request is being answered. Jobs that follow from the request are its jobs."""
_RETRY_SECONDS = 10


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """How many jobs of a pool run at the same time in a process, and how many may wait in all."""

    max_running: int
    max_running_per_client: int
    """Less than `max_running` in a pool of long jobs, so that a place is left for other clients."""
    max_waiting: int
    max_waiting_per_client: int
    message: str
    """The sentence of the refusal when the pool is full."""

    def check(self, waiting: int, waiting_of_client: int) -> None:
        """Raise RefusedError when a further job would be too many."""
        if waiting_of_client >= self.max_waiting_per_client:
            raise RefusedError("rate_limited", self.message, retry_after=_RETRY_SECONDS)
        if waiting >= self.max_waiting:
            raise RefusedError("unavailable", self.message, retry_after=_RETRY_SECONDS)


class FairShare:
    """Start-time fair queueing between the clients of a pool.

    A client's next job starts, in virtual time, when its last one was expected to end, or now if that is later. The
    client whose job starts first is next. Virtual time is expected work in milliseconds.

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
            self._ends = {each: end for each, end in self._ends.items() if end > self._now}

    def reset(self) -> None:
        """Forget what was charged: no job runs or waits."""
        self._now = 0.0
        self._ends.clear()
