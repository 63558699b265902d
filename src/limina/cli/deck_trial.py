"""Bots who play a deck while somebody looks on."""

from __future__ import annotations

import sys

from limina.analysis.deals import DealScores, play_deals
from limina.cli.progress import ProgressBar
from limina.core.capabilities import DeckTrial


def try_deck(trial: DeckTrial, deals: int, seconds: float) -> str:
    """What the bots score; Ctrl-C and the end of the time keep what was found."""
    played: list[DealScores] = []
    with ProgressBar("deals") as bar:
        try:
            print("Bots play it on random deals; Ctrl-C ends that.", file=sys.stderr, flush=True)
            for points in play_deals(trial, deals, seconds):
                played.append(points)
                bar.show(len(played), deals)
        except KeyboardInterrupt:
            pass
    return trial.summarize(played)
