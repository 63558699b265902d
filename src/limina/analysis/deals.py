"""Deals that bots play with a deck, side by side, until there are enough or time is up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from time import monotonic

from limina._kernel import Stop
from limina.core.capabilities import DeckTrial
from limina.errors import LiminaError

THREAD_COUNT = 2
DealScores = Mapping[str, Sequence[int]]


def play_deals(trial: DeckTrial, deals: int, seconds: float) -> Iterator[DealScores]:
    """What the bots score, deal by deal as they end; at least one. Ctrl-C ends it, and what is ready still comes."""
    stop, until = Stop(), monotonic() + seconds
    running: set[Future[DealScores]] = set()
    asked = done = 0
    with ThreadPoolExecutor(THREAD_COUNT) as pool:
        try:
            while running or asked < deals:
                # One deal at least, however little time there is.
                while len(running) < THREAD_COUNT and asked < deals and (monotonic() < until or not asked):
                    running.add(pool.submit(trial.play, asked, stop))
                    asked += 1
                if monotonic() >= until and done:
                    break
                ready, running = wait(running, timeout=max(0.2, until - monotonic()), return_when=FIRST_COMPLETED)
                for future in ready:
                    done += 1
                    yield future.result()
        except KeyboardInterrupt:
            pass
        finally:
            stop.set()
        for future in running:  # those that were nearly ready count, those that were stopped do not
            error = future.exception()
            if error is None:
                yield future.result()
            elif not isinstance(error, LiminaError):
                raise error
