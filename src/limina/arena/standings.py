"""The figures of an arena for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from limina.arena.report import Report
from limina.arena.statistics import Estimate
from limina.core.validation import pluralize


def standings(report: Report) -> str:
    """All figures as a text: bots, paired differences, ratings, verdicts."""
    plan, labels = report.plan, report.plan.labels
    games, setups = len(report.played), len({game.setup for game in report.played})
    setup = plan.setup_words.singular
    parts = [f"{plan.game.title}: {pluralize(games, 'game')} on {pluralize(setups, setup)}, seed {plan.seed}"]
    rows = [["bot", *([] if report.alone else ["score"]), "points", "time a turn", "forfeits"]]
    for number, label in enumerate(labels):
        share = [] if report.alone else [_of(report.share(number), 100, "%")]
        seconds = f"{report.turn_seconds(number) * 1000:.3g} ms"
        rows.append([label, *share, _of(report.points(number)), seconds, str(report.forfeits(number))])
    parts.append(lines(_without_empty(rows)))
    if report.pairs:
        rows = [["pair", "won-drawn-lost", "decided", "score difference", "points difference"]]
        for pair in report.pairs:
            rows.append(
                [
                    f"{labels[pair.first]} - {labels[pair.second]}",
                    f"{pair.won}-{pair.drawn}-{pair.lost}",
                    "" if pair.decided is None else f"{100 * pair.decided:.1f}%",
                    _of(pair.share, 100, "%", sign=True),
                    _of(pair.points, sign=True),
                ]
            )
        parts.append(lines(_without_empty(rows)))
    if report.ratings:
        rows = [["rating", "Elo"]]
        rows += [[labels[number], f"{elo:+.0f} ± {within:.0f}"] for number, elo, within in report.ratings]
        parts.append(lines(rows))
    verdicts = list(dict.fromkeys(game.verdict for game in report.played if game.verdict is not None))
    if verdicts:
        more = f"\n… and {len(verdicts) - 10} more" if len(verdicts) > 10 else ""
        parts.append("\n".join(verdicts[:10]) + more)
    parts.append("± is half of a 95% interval; differences are taken setup by setup.")
    return "\n\n".join(parts)


def _of(found: Estimate | None, times: float = 1.0, unit: str = "", *, sign: bool = False) -> str:
    if found is None:
        return ""
    mean = f"{times * found.mean:+.2f}" if sign else f"{times * found.mean:.2f}"
    return f"{mean}{unit} ± {times * found.within:.2f}" if isfinite(found.within) else f"{mean}{unit}"


def _without_empty(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Drop the columns that say nothing."""
    kept = [n for n in range(len(rows[0])) if any(row[n] for row in rows[1:])]
    return [[row[n] for n in kept] for row in rows]


def lines(rows: Sequence[Sequence[str]]) -> str:
    """Rows as the lines of a table, the first column to the left, all others to the right."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    shown = []
    for row in rows:
        first, *others = (word.rjust(width) for word, width in zip(row, widths, strict=True))
        shown.append("  ".join([first.strip().ljust(widths[0]), *others]).rstrip())
    return "\n".join(shown)
