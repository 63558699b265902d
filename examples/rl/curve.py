"""The learning curve of an agent: it is evaluated at intervals, and the results are printed and written as JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

MAX_EVALUATIONS = 20
"""Maximum number of evaluations after the first."""
MIN_INTERVAL_SECONDS = 3.0


class Curve:
    """Measures the processor time of learning, and evaluates the agent at intervals."""

    def __init__(self, learner: str, seed: int, seconds: float, out: str | None = None) -> None:
        self.header = {"learner": learner, "seed": seed, "seconds": seconds}
        self.points: list[dict[str, float]] = []
        self._budget, self._out = seconds, out
        self._interval = seconds / min(max(int(seconds / MIN_INTERVAL_SECONDS), 1), MAX_EVALUATIONS)
        self._cpu_start, self._clock_start = time.process_time(), time.perf_counter()
        self._evaluation_seconds = 0.0

    @property
    def seconds(self) -> float:
        """Processor time so far, without evaluations."""
        return time.process_time() - self._cpu_start - self._evaluation_seconds

    @property
    def progress(self) -> float:
        """Share of the time that is over, from 0 to 1."""
        return min(self.seconds / self._budget, 1.0)

    def continues(self, steps: int, evaluate: Callable[[], np.ndarray[Any, Any]]) -> bool:
        """Return True if there is time left. Evaluates the agent if an interval is over."""
        seconds = self.seconds
        if seconds >= self._interval * len(self.points):
            started = time.process_time()
            totals = evaluate()
            self._evaluation_seconds += time.process_time() - started
            error = float(totals.std() / np.sqrt(len(totals)))
            point = {"seconds": round(seconds, 1), "steps": steps, "points": round(float(totals.mean()), 2)}
            self.points.append(point)
            print(f"{seconds:6.0f} s  {steps:11,} steps  {totals.mean():5.1f} ± {1.96 * error:.1f} points", flush=True)
            if self._out:
                clock = round(time.perf_counter() - self._clock_start, 1)
                curve = {**self.header, "clock": clock, "games": len(totals), "curve": self.points}
                Path(self._out).write_text(json.dumps(curve) + "\n", encoding="utf-8")
        return seconds < self._budget
