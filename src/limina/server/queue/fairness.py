"""Who is next in a queue that takes whatever has the highest priority: start-time fair queueing, written as priorities.

A client's next job starts, in the lane's own time, where its last one was expected to end, or now if that is later;
whoever starts first is next. The lane's time is in milliseconds of expected work, and now is where the job starts that
began last. It begins anew with an empty lane, and stands still in the unlikely case that it comes to its end.
"""

from __future__ import annotations

SPAN = 2**30
"""Half of what the queue's whole numbers hold: the upper half is for what somebody watches."""


class FairClock:
    """The time of one lane, of what is watched in it or of what is not."""

    def __init__(self) -> None:
        self._now = 0.0
        self._ends: dict[str, float] = {}

    def start(self, client: str, cost: float) -> float:
        """When a client's next job starts.

        >>> clock = FairClock()
        >>> [clock.start(client, 400) for client in ("ada", "ada", "ben", "ada")]
        [0.0, 400.0, 0.0, 800.0]
        """
        start = max(self._now, self._ends.get(client, 0.0))
        self._ends[client] = start + max(cost, 1.0)
        return start

    def look(self, ends: dict[str, float], now: float | None) -> None:
        """Learn what others have added: where each client's last job is to end, and what began last; None if nothing
        is there.

        >>> clock = FairClock()
        >>> clock.look({"ada": 2000.0}, 800.0)
        >>> clock.start("ada", 1), clock.start("ben", 1)
        (2000.0, 800.0)
        """
        if now is None:
            self._now, self._ends = 0.0, {}
            return
        self._now = max(self._now, now)
        for client, end in ends.items():
            self._ends[client] = max(end, self._ends.get(client, 0.0))
        self._ends = {client: end for client, end in self._ends.items() if end > self._now}


def priority(start: float, watched: bool) -> int:
    """A start as a priority: the earlier, the higher, and all that is watched above all that is not.

    >>> priority(5, True) > priority(6, True) > priority(1e12, True) > priority(0, False) > priority(1e12, False)
    True
    """
    return -min(int(start), SPAN - 1) - (0 if watched else SPAN)
