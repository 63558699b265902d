"""The figures of a bot for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from limina import __version__
from limina.arena import Played
from limina.arena.standings import lines
from limina.benchmark.measure import Benchmark, Row
from limina.benchmark.setups import ladder
from limina.core.validation import pluralize, printable


def table(benchmark: Benchmark, played: Sequence[Sequence[Played]]) -> str:
    """All figures in one table, and what they were taken with."""
    found = benchmark.rows(played)
    rows = [["game", "set", "against", "of", "measure", "value"]]
    rows += [[row.game, row.set, row.against, str(row.count), row.measure, _value(row)] for row in found]
    quick = "" if benchmark.most is None else ", a quick look"
    parts = [f"{printable(benchmark.bot)}: settings {benchmark.hash}, limina {__version__}{quick}", lines(rows)]
    parts += [_place(benchmark, row) for row in found if row.measure in ("points", "Elo")]
    times = benchmark.turn_seconds(played)
    spent = ", ".join(f"{1000 * seconds:.3g} ms in {name}" for name, seconds in times.items())
    parts.append(f"A turn took {spent}; {pluralize(benchmark.forfeits(played), 'game')} forfeited.")
    parts.append("± is half of a 95% interval. Figures with the same settings can be compared.")
    return "\n\n".join(parts)


def _value(row: Row) -> str:
    mean = f"{row.value:+.0f}" if row.measure == "Elo" else f"{row.value:.2f}"
    if row.within is None:
        return mean
    return f"{mean} ± {row.within:.0f}" if row.measure == "Elo" else f"{mean} ± {row.within:.2f}"


def _place(benchmark: Benchmark, row: Row) -> str:
    """Where the bot stands among those of the ladder."""
    shown = [(rung.bot, rung.rating) for rung in ladder(row.game)]
    shown.append((f"[{printable(benchmark.bot)}]", row.value))
    shown.sort(key=lambda each: each[1])
    return f"{row.game}, {row.measure}: " + " < ".join(
        f"{name} {rating:.{0 if row.measure == 'Elo' else 1}f}" for name, rating in shown
    )
