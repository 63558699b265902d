"""A process of its own that reviews one record: JSON on standard input, a line of JSON for each thing that is known.

`python -m limina.analysis.worker`. Whoever starts it puts it behind everything else that the machine has to do. It
ends when it is killed: nothing is kept in it.
"""

from __future__ import annotations

import json
import os
import sys

from limina.analysis import Summary, TurnReview, analyse
from limina.analysis.summary import find_par
from limina.reason import to_json
from limina.record import Record


def main() -> None:
    """Review what stands on standard input."""
    record = Record.read(sys.stdin.buffer.read())
    turns: list[TurnReview] = []
    for review in analyse(record, workers=min(2, os.cpu_count() or 1)):
        turns.append(review)
        accuracy = Summary(record, turns).accuracy(review.player)
        line = review.to_json() | {"reasons": [to_json(reason) for reason in review.reasons]}
        _say({"type": "turn", **line, "accuracy": None if accuracy is None else round(accuracy, 1)})
    par = find_par(record)
    known = {"par": None, "bound": None} if par is None else {"par": par.total, "bound": par.bound}
    _say({"type": "end", **known})


def _say(line: dict[str, object]) -> None:
    print(json.dumps(line, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
