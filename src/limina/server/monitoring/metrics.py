"""Figures for Prometheus: what happened, how long it took, and what there is just now."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from limina.core.files import system_error_text
from limina.errors import LiminaError
from limina.server.settings import MetricsAddress

_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
Gauge = tuple[str, Callable[[], float | Mapping[str, float]]]
"""What it tells, and where to look: a number, or one for each kind."""

_LOOK_SECONDS = 0.005
"""So that hardly any of the work that is counted was done before the loop was late."""


class Metrics:
    """All figures of one server. What happens with every turn is counted only where somebody can ask for it."""

    def __init__(self, *, enabled: bool) -> None:
        self._enabled = enabled
        self.registry = CollectorRegistry()
        self._turns = Counter("limina_turns", "Turns of people that were saved", registry=self.registry)
        self._turn_seconds = Histogram(
            "limina_turn_seconds", "From a turn to its answer", buckets=_BUCKETS, registry=self.registry
        )
        self.request_seconds = Histogram(
            "limina_request_seconds", "From a request to its answer", buckets=_BUCKETS, registry=self.registry
        )
        self.event_loop_lag_seconds = Histogram(
            "limina_event_loop_lag_seconds",
            "How long its own work kept the event loop",
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.requests_refused = Counter(
            "limina_requests_refused", "What was refused, by the word for it", ["code"], registry=self.registry
        )

    def count_turn(self, seconds: float) -> None:
        """Somebody's turn was saved, so long after they sent it."""
        if self._enabled:
            self._turns.inc()
            self._turn_seconds.observe(seconds)

    async def measure_event_loop_lag(self) -> None:
        """Look again and again how long everybody has to wait because something keeps the event loop.

        That other programs had the processor meanwhile is not counted: no longer than the loop itself has worked.
        """
        clock = asyncio.get_running_loop().time
        while True:
            due, worked = clock() + _LOOK_SECONDS, time.thread_time()
            await asyncio.sleep(_LOOK_SECONDS)
            self.event_loop_lag_seconds.observe(max(0.0, min(clock() - due, time.thread_time() - worked)))

    def register_gauges(self, gauges: Mapping[str, Gauge], commits: Callable[[], float]) -> None:
        """Add what is counted elsewhere: looked up when somebody asks."""
        self.registry.register(_Elsewhere(gauges, commits))


class _Elsewhere:
    def __init__(self, gauges: Mapping[str, Gauge], commits: Callable[[], float]) -> None:
        self._gauges = gauges
        self._commits = commits

    def collect(self) -> Iterator[Metric]:
        yield CounterMetricFamily("limina_commits", "Transactions of the database", value=self._commits())
        for name, (what, look) in self._gauges.items():
            found = look()
            if isinstance(found, Mapping):
                family = GaugeMetricFamily(name, what, labels=["kind"])
                for kind, value in found.items():
                    family.add_metric([kind], value)
                yield family
            else:
                yield GaugeMetricFamily(name, what, value=found)


def serve_metrics(metrics: Metrics, address: MetricsAddress) -> Callable[[], None]:
    """Answer on a port of their own, beside everything else; what is returned ends it."""
    try:
        server, thread = start_http_server(address.port, address.host, metrics.registry)
    except OSError as error:
        why = system_error_text(error, "unknown reason")
        raise LiminaError(f"cannot listen on port {address.port} for metrics: {why}") from None

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return stop
