"""Metrics for Prometheus: counters, durations and gauges."""

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
"""Description of a gauge, and the function that reads it: one number, or one for each value of the label `kind`."""

_LAG_PROBE_SECONDS = 0.005
"""Interval between measurements of the event loop's lag. It is short because CPU time within it counts as lag."""


class Metrics:
    """The metrics of one server process. Turns are counted only if metrics are served."""

    def __init__(self, *, enabled: bool) -> None:
        self._enabled = enabled
        self.registry = CollectorRegistry()
        self._turns = Counter("limina_turns", "Saved turns of people", registry=self.registry)
        self._turn_seconds = Histogram(
            "limina_turn_seconds", "Time from a turn to its acknowledgment", buckets=_BUCKETS, registry=self.registry
        )
        self.request_seconds = Histogram(
            "limina_request_seconds", "Time from a request to its response", buckets=_BUCKETS, registry=self.registry
        )
        self.event_loop_lag_seconds = Histogram(
            "limina_event_loop_lag_seconds",
            "Delay of the event loop by its own work",
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.requests_refused = Counter(
            "limina_requests_refused", "Refused requests, by error code", ["code"], registry=self.registry
        )

    def count_turn(self, seconds: float) -> None:
        """Count a saved turn that was acknowledged after this time."""
        if self._enabled:
            self._turns.inc()
            self._turn_seconds.observe(seconds)

    async def measure_event_loop_lag(self) -> None:
        """Measure the lag of the event loop until cancelled.

        The lag is at most the CPU time of this thread, so that time which other programs take is not counted.
        """
        clock = asyncio.get_running_loop().time
        while True:
            due, cpu_time = clock() + _LAG_PROBE_SECONDS, time.thread_time()
            await asyncio.sleep(_LAG_PROBE_SECONDS)
            self.event_loop_lag_seconds.observe(max(0.0, min(clock() - due, time.thread_time() - cpu_time)))

    def register_gauges(self, gauges: Mapping[str, Gauge], commits: Callable[[], float]) -> None:
        """Add gauges and the count of commits, which are read when Prometheus asks."""
        self.registry.register(_GaugeCollector(gauges, commits))


class _GaugeCollector:
    def __init__(self, gauges: Mapping[str, Gauge], commits: Callable[[], float]) -> None:
        self._gauges = gauges
        self._commits = commits

    def collect(self) -> Iterator[Metric]:
        yield CounterMetricFamily("limina_commits", "Transactions of the store", value=self._commits())
        for name, (description, read) in self._gauges.items():
            reading = read()
            if isinstance(reading, Mapping):
                family = GaugeMetricFamily(name, description, labels=["kind"])
                for kind, value in reading.items():
                    family.add_metric([kind], value)
                yield family
            else:
                yield GaugeMetricFamily(name, description, value=reading)


def serve_metrics(metrics: Metrics, address: MetricsAddress) -> Callable[[], None]:
    """Serve metrics in a thread on their own port; return the function that stops it."""
    try:
        server, thread = start_http_server(address.port, address.host, metrics.registry)
    except OSError as error:
        reason = system_error_text(error, "unknown reason")
        raise LiminaError(f"cannot listen on port {address.port} for metrics: {reason}") from None

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return stop
