"""Play deals of a deck trial in threads, until there are enough or the time is over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from time import monotonic

from limina._kernel import CancelToken
from limina.core.capabilities import DeckTrial
from limina.errors import LiminaError

THREAD_COUNT = 2
DealScores = Mapping[str, Sequence[int]]


def play_trial_deals(trial: DeckTrial, deals: int, seconds: float) -> Iterator[DealScores]:
    """Yield the scores of deals as they finish, at least one. After Ctrl-C, it yields the finished ones and ends."""
    cancel_token, deadline = CancelToken(), monotonic() + seconds
    running: set[Future[DealScores]] = set()
    submitted = finished = 0
    with ThreadPoolExecutor(THREAD_COUNT) as pool:
        try:
            while running or submitted < deals:
                # Submit the first deal even if there is no time.
                while len(running) < THREAD_COUNT and submitted < deals and (monotonic() < deadline or not submitted):
                    running.add(pool.submit(trial.play, submitted, cancel_token))
                    submitted += 1
                if monotonic() >= deadline and finished:
                    break
                timeout = max(0.2, deadline - monotonic())
                done, running = wait(running, timeout=timeout, return_when=FIRST_COMPLETED)
                for future in done:
                    finished += 1
                    yield future.result()
        except KeyboardInterrupt:
            pass
        finally:
            cancel_token.cancel()
        for future in running:  # some finish in spite of the cancellation; the others raise LiminaError
            error = future.exception()
            if error is None:
                yield future.result()
            elif not isinstance(error, LiminaError):
                raise error
