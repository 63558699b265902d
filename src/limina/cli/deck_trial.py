"""Let bots play a deck, with a progress bar."""

from __future__ import annotations

import sys

from limina.analysis.deck_trial import DealScores, play_trial_deals
from limina.cli.progress import ProgressBar
from limina.core.capabilities import DeckTrial


def try_deck(trial: DeckTrial, deals: int, seconds: float) -> str:
    """Return a summary of the bots' points. Ctrl-C and the time limit end the trial, and its results stay."""
    results: list[DealScores] = []
    with ProgressBar("deals") as bar:
        try:
            print("Bots play the deck on random deals. Press Ctrl-C to stop.", file=sys.stderr, flush=True)
            for points in play_trial_deals(trial, deals, seconds):
                results.append(points)
                bar.show(len(results), deals)
        except KeyboardInterrupt:
            pass
    return trial.summarize(results)
