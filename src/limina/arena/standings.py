"""The report of an arena as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from limina.arena.report import ArenaReport
from limina.arena.statistics import Estimate
from limina.core.validation import pluralize

_MAX_VERDICTS = 10


def standings_text(report: ArenaReport) -> str:
    """Return all statistics as text: bots, paired differences, ratings and verdicts."""
    plan, labels = report.plan, report.plan.labels
    game_count, setup_count = len(report.results), len({result.setup for result in report.results})
    title = f"{plan.game.title}: {pluralize(game_count, 'game')}"
    parts = [f"{title} on {pluralize(setup_count, plan.setup_spec.singular)}, seed {plan.seed}"]
    rows = [["bot", *([] if report.is_solo else ["score"]), "points", "time a turn", "forfeits"]]
    for index, label in enumerate(labels):
        share = [] if report.is_solo else [_estimate_text(report.mean_share(index), 100, "%")]
        seconds = f"{report.mean_turn_seconds(index) * 1000:.3g} ms"
        rows.append(
            [label, *share, _estimate_text(report.mean_points(index)), seconds, str(report.forfeit_count(index))]
        )
    parts.append(align_columns(_without_empty_columns(rows)))
    if report.comparisons:
        rows = [["pair", "won-drawn-lost", "decided", "score difference", "points difference"]]
        for pair in report.comparisons:
            rows.append(
                [
                    f"{labels[pair.first]} - {labels[pair.second]}",
                    f"{pair.won}-{pair.drawn}-{pair.lost}",
                    "" if pair.decided is None else f"{100 * pair.decided:.1f}%",
                    _estimate_text(pair.share, 100, "%", sign=True),
                    _estimate_text(pair.points, sign=True),
                ]
            )
        parts.append(align_columns(_without_empty_columns(rows)))
    if report.ratings:
        rows = [["rating", "Elo"]]
        rows += [[labels[index], f"{elo:+.0f} ± {margin:.0f}"] for index, elo, margin in report.ratings]
        parts.append(align_columns(rows))
    verdicts = list(dict.fromkeys(result.verdict for result in report.results if result.verdict is not None))
    if verdicts:
        more = f"\n… and {len(verdicts) - _MAX_VERDICTS} more" if len(verdicts) > _MAX_VERDICTS else ""
        parts.append("\n".join(verdicts[:_MAX_VERDICTS]) + more)
    parts.append("± is half of a 95% interval. Differences are paired by setup.")
    return "\n\n".join(parts)


def _estimate_text(value: Estimate | None, scale: float = 1.0, unit: str = "", *, sign: bool = False) -> str:
    if value is None:
        return ""
    mean = f"{scale * value.mean:+.2f}" if sign else f"{scale * value.mean:.2f}"
    return f"{mean}{unit} ± {scale * value.margin:.2f}" if isfinite(value.margin) else f"{mean}{unit}"


def _without_empty_columns(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the rows, the first of which is the header, without columns that are empty below it."""
    columns = [column for column in range(len(rows[0])) if any(row[column] for row in rows[1:])]
    return [[row[column] for column in columns] for row in rows]


def align_columns(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as lines with aligned columns, the first to the left and all others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        first, *others = (word.rjust(width) for word, width in zip(row, widths, strict=True))
        lines.append("  ".join([first.strip().ljust(widths[0]), *others]).rstrip())
    return "\n".join(lines)
