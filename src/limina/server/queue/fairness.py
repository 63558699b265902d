"""Who is next in a queue that takes whatever has the highest priority: start-time fair queueing, written as priorities.

A client's next job starts, in the lane's own time, where its last one was expected to end, or now if that is later;
whoever starts first is next. A client's watched jobs do not wait for its unwatched jobs: a job comes forward when its
match is watched. The lane's time is in milliseconds of expected work, and now is where the job starts that began last.
It begins anew with an empty lane, and stands still in the unlikely case that it comes to its end.
"""

from __future__ import annotations

from limina.server.jobs import charge

MAX_START = 2**30 - 1
"""The last start that a priority can hold. The queue's priorities have 31 bits, and the lowest marks unwatched jobs."""


class FairClock:
    """The time of one lane."""

    def __init__(self) -> None:
        self._now = 0.0
        self._ends: dict[tuple[str, bool], float] = {}

    def start(self, client: str, cost: float, watched: bool) -> float:
        """When a client's next job starts.

        >>> clock = FairClock()
        >>> [clock.start(client, 400, watched=True) for client in ("ada", "ada", "ben", "ada")]
        [0.0, 400.0, 0.0, 800.0]
        >>> [clock.start(client, 400, watched=False) for client in ("ben", "cleo", "cleo")]
        [0.0, 0.0, 1600.0]
        """
        start = max(self._now, self._ends.get((client, watched), 0.0))
        self._ends[client, watched] = start + charge(max(cost, 1.0), watched)
        return start

    def look(self, ends: dict[tuple[str, bool], float], now: float | None) -> None:
        """Learn what others have added: where each client's last watched and last unwatched job is to end, and what
        began last; None if nothing is there.

        >>> clock = FairClock()
        >>> clock.look({("ada", True): 2000.0}, 800.0)
        >>> clock.start("ada", 1, watched=True), clock.start("ben", 1, watched=True)
        (2000.0, 800.0)
        """
        if now is None:
            self._now, self._ends = 0.0, {}
            return
        self._now = max(self._now, now)
        for flow, end in ends.items():
            self._ends[flow] = max(end, self._ends.get(flow, 0.0))
        self._ends = {flow: end for flow, end in self._ends.items() if end > self._now}


def priority(start: float, watched: bool) -> int:
    """A start as a priority: the earlier, the higher; of two that start together the watched one is higher.

    >>> priority(5, True) > priority(5, False) > priority(6, True) > priority(1e12, True) > priority(1e12, False)
    True
    """
    return -2 * min(int(start), MAX_START) - (0 if watched else 1)
