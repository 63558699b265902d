"""Deals played side by side until there are enough, time is up or somebody has seen enough."""

from __future__ import annotations

import sys
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from time import monotonic
from typing import Any

from limina._kernel import Stop
from limina.capabilities import DeckTrial
from limina.cli.progress import Bar
from limina.errors import LiminaError

THREADS = 2


def play_deals(trial: DeckTrial, deals: int, seconds: float) -> str:
    """What the bots score; Ctrl-C and the end of the time keep what was found."""
    stop, until = Stop(), monotonic() + seconds
    played: list[Any] = []
    with Bar("deals") as bar, ThreadPoolExecutor(THREADS) as pool:
        running: set[Future[Any]] = set()
        asked = 0
        try:
            print("Bots play it on random deals; Ctrl-C ends that.", file=sys.stderr, flush=True)
            while running or asked < deals:
                # One deal at least, however little time there is.
                while len(running) < THREADS and asked < deals and (monotonic() < until or not asked):
                    running.add(pool.submit(trial.play, asked, stop))
                    asked += 1
                if monotonic() >= until and played:
                    break
                ready, running = wait(running, timeout=max(0.2, until - monotonic()), return_when=FIRST_COMPLETED)
                played += [future.result() for future in ready]
                if ready:
                    bar.show(len(played), deals)
        except KeyboardInterrupt:
            pass
        finally:
            stop.set()
        for future in running:  # those that were nearly ready count, those that were stopped do not
            error = future.exception()
            if error is None:
                played.append(future.result())
            elif not isinstance(error, LiminaError):
                raise error
    return trial.words(played)
