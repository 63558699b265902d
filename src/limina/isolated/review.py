"""A program that reviews a record, or lets bots play a deck, and prints one JSON object a line.

`python -m limina.isolated.review` reads the record or the deck as JSON from standard input, up to its end.
"""

from __future__ import annotations

import json
import os
import sys

from limina.analysis import ReviewSummary, TurnReview, analyze
from limina.analysis.deck_trial import play_trial_deals
from limina.analysis.summary import find_par
from limina.core import registry
from limina.core.message import to_json
from limina.core.record import Record
from limina.isolated.process import prepare_process


def main() -> None:
    """Read a record or a deck trial from standard input and run it with limited memory."""
    prepare_process(threads=os.cpu_count() or 1)  # the par search uses all cores
    try:
        data = sys.stdin.buffer.read()
        request = json.loads(data)
        if "trial" in request:
            try_deck(**request["trial"])
        else:
            review_record(Record.from_json_text(data))
    except MemoryError:
        _write({"type": "out_of_memory"})


def try_deck(game: str, faces: list[str], deals: int, seconds: float) -> None:
    """Let bots play a deck on random deals for at most this time, and write the points of each deal."""
    decks = registry.game(game).decks
    assert decks is not None  # the server has checked
    for points in play_trial_deals(decks.from_faces(faces).trial(), deals, seconds):
        _write({"type": "deal", "points": points})
    _write({"type": "end", "par": None, "bound": None})


def review_record(record: Record) -> None:
    """Review a record and write a line for each turn, then one for the end."""
    turns: list[TurnReview] = []
    for review in analyze(record, threads=min(2, os.cpu_count() or 1)):
        turns.append(review)
        accuracy = ReviewSummary(record, turns).accuracy(review.player)
        line = review.to_json() | {"reasons": [to_json(reason) for reason in review.reasons]}
        _write({"type": "turn", **line, "accuracy": None if accuracy is None else round(accuracy, 1)})
    par = find_par(record)
    best = {"par": None, "bound": None} if par is None else {"par": par.total, "bound": par.bound}
    _write({"type": "end", **best})


def _write(value: dict[str, object]) -> None:
    print(json.dumps(value, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
