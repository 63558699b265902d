"""How well a learner plays as it learns: looked at now and then, printed, and written as JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

LOOKS, APART = 20, 3.0  # at how well it plays, after the first; so many seconds apart at least


class Curve:
    """Counts the processor's seconds that are spent on learning, and looks at the play now and then."""

    def __init__(self, learner: str, seed: int, seconds: float, out: str | None = None) -> None:
        self.about = {"learner": learner, "seed": seed, "seconds": seconds}
        self.points: list[dict[str, float]] = []
        self._budget, self._out = seconds, out
        self._pause = seconds / min(max(int(seconds / APART), 1), LOOKS)
        self._begun, self._clock, self._looked = time.process_time(), time.perf_counter(), 0.0

    @property
    def seconds(self) -> float:
        """What was spent so far, without looking."""
        return time.process_time() - self._begun - self._looked

    @property
    def share(self) -> float:
        """How much of the time is over, up to 1."""
        return min(self.seconds / self._budget, 1.0)

    def goes_on(self, steps: int, evaluate: Callable[[], np.ndarray[Any, Any]]) -> bool:
        """Whether there is time left; looks at the play when it is time for that."""
        spent = self.seconds
        if spent >= self._pause * len(self.points):
            before = time.process_time()
            totals = evaluate()
            self._looked += time.process_time() - before
            error = float(totals.std() / np.sqrt(len(totals)))
            self.points.append({"seconds": round(spent, 1), "steps": steps, "points": round(float(totals.mean()), 2)})
            print(f"{spent:6.0f} s  {steps:11,} steps  {totals.mean():5.1f} ± {1.96 * error:.1f} points", flush=True)
            if self._out:
                taken = round(time.perf_counter() - self._clock, 1)
                curve = {**self.about, "clock": taken, "games": len(totals), "curve": self.points}
                Path(self._out).write_text(json.dumps(curve) + "\n", encoding="utf-8")
        return spent < self._budget
