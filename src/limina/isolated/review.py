"""A program that reviews one record, or lets bots play one deck, and prints a line of JSON for each result.

`python -m limina.isolated.review` reads the record or the deck as JSON from standard input, up to its end.
"""

from __future__ import annotations

import json
import os
import sys

from limina.analysis import Summary, TurnReview, analyze
from limina.analysis.deals import play_deals
from limina.analysis.summary import find_par
from limina.core import registry
from limina.core.message import to_json
from limina.core.record import Record
from limina.isolated.process import prepare_process


def main() -> None:
    """Look at what stands on standard input, within bounded memory."""
    prepare_process(threads=os.cpu_count() or 1)  # par is looked for on all cores
    try:
        sent = sys.stdin.buffer.read()
        told = json.loads(sent)
        if "trial" in told:
            try_deck(**told["trial"])
        else:
            review(Record.read(sent))
    except MemoryError:
        _say({"type": "out_of_memory"})


def try_deck(game: str, faces: list[str], deals: int, seconds: float) -> None:
    """Let bots play a deck on random deals, no longer than that."""
    decks = registry.game(game).decks
    assert decks is not None  # whoever asks has looked
    for points in play_deals(decks.from_faces(faces).trial(), deals, seconds):
        _say({"type": "deal", "points": points})
    _say({"type": "end", "par": None, "bound": None})


def review(record: Record) -> None:
    """Review a game, turn by turn."""
    turns: list[TurnReview] = []
    for found in analyze(record, threads=min(2, os.cpu_count() or 1)):
        turns.append(found)
        accuracy = Summary(record, turns).accuracy(found.player)
        line = found.to_json() | {"reasons": [to_json(reason) for reason in found.reasons]}
        _say({"type": "turn", **line, "accuracy": None if accuracy is None else round(accuracy, 1)})
    par = find_par(record)
    known = {"par": None, "bound": None} if par is None else {"par": par.total, "bound": par.bound}
    _say({"type": "end", **known})


def _say(line: dict[str, object]) -> None:
    print(json.dumps(line, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
