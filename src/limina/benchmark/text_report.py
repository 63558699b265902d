"""The measurements of a bot as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from limina import __version__
from limina.arena import GameResult
from limina.arena.standings import align_columns
from limina.benchmark.measure import Benchmark, Measurement
from limina.benchmark.setups import load_ladder
from limina.core.validation import pluralize, printable


def text_report(benchmark: Benchmark, results: Sequence[Sequence[GameResult]]) -> str:
    """Return all measurements as text, with the bot's place on the ladders and the hash of the settings."""
    measurements = benchmark.measurements(results)
    lines = [["game", "set", "against", "of", "measure", "value"]]
    lines += [[row.game, row.set, row.against, str(row.count), row.measure, _value_text(row)] for row in measurements]
    partial = "" if benchmark.max_setups is None else ", a quick look"
    title = f"{printable(benchmark.bot)}: settings {benchmark.hash}, limina {__version__}{partial}"
    parts = [title, align_columns(lines)]
    parts += [_ladder_place(benchmark, row) for row in measurements if row.measure in ("points", "Elo")]
    turn_seconds = benchmark.mean_turn_seconds(results)
    times = ", ".join(f"{1000 * seconds:.3g} ms in {name}" for name, seconds in turn_seconds.items())
    parts.append(f"A turn took {times}; {pluralize(benchmark.forfeit_count(results), 'game')} forfeited.")
    parts.append("± is half of a 95% interval. Figures with the same settings can be compared.")
    return "\n\n".join(parts)


def _value_text(row: Measurement) -> str:
    value = f"{row.value:+.0f}" if row.measure == "Elo" else f"{row.value:.2f}"
    if row.within is None:
        return value
    return f"{value} ± {row.within:.0f}" if row.measure == "Elo" else f"{value} ± {row.within:.2f}"


def _ladder_place(benchmark: Benchmark, row: Measurement) -> str:
    """Return the bots of the ladder and the measured bot, sorted by rating."""
    rated = [(rung.bot, rung.rating) for rung in load_ladder(row.game)]
    rated.append((f"[{printable(benchmark.bot)}]", row.value))
    rated.sort(key=lambda entry: entry[1])
    return f"{row.game}, {row.measure}: " + " < ".join(
        f"{name} {rating:.{0 if row.measure == 'Elo' else 1}f}" for name, rating in rated
    )
