"""Measure a bot on the benchmark: the plans that it plays, the hash of the settings, and the results."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import isfinite
from typing import Any

from limina.arena import ArenaPlan, ArenaReport, GameResult, run_arena
from limina.arena.journal import default_journal_path, delete_journal
from limina.arena.statistics import Estimate, elo_from_scores, estimate_bounded_mean, estimate_mean
from limina.benchmark.setups import (
    VERSION,
    Entry,
    RatedBot,
    benchmark_of,
    load_entries,
    load_ladder,
    unpack_turns,
)
from limina.bots.ask import DEFAULT_TURN_SECONDS
from limina.core.game import Game
from limina.core.record import Record
from limina.core.spec import BenchmarkSet

QUICK_SETUPS = 10
"""Number of setups of each set in a quick measurement."""
_SEED = 0


@dataclass(frozen=True, slots=True)
class Measurement:
    """A measurement."""

    game: str
    set: str
    against: str
    """Opponent or reference of the measurement. Empty if the bot played alone."""
    count: int
    """Number of measured games or first turns."""
    measure: str
    value: float
    within: float | None
    """Half of the 95% interval. None if there is only one value."""

    @classmethod
    def from_estimate(
        cls, game: str, set_name: str, against: str, count: int, measure: str, result: Estimate
    ) -> Measurement:
        """Return the row of an estimate."""
        margin = round(result.margin, 3) if isfinite(result.margin) else None
        return cls(game, set_name, against, count, measure, round(result.mean, 3), margin)


@dataclass(frozen=True)
class BenchmarkPart:
    """The games of the bot on one set, alone or against one opponent."""

    game: Game
    set: BenchmarkSet
    entries: Sequence[Entry]
    plan: ArenaPlan
    opponent: str = ""


@dataclass(frozen=True)
class Benchmark:
    """The measurement of a bot in some games.

    >>> from limina import game
    >>> benchmark = Benchmark("novice", (game("limes"),), max_setups=3)
    >>> [row.measure for row in benchmark.measurements(benchmark.play())]
    ['points', '% of par']
    """

    bot: str
    games: Sequence[Game]
    max_setups: int | None = None
    """Maximum number of setups of each set, or None for all."""
    seconds: float = DEFAULT_TURN_SECONDS
    """Time limit for a turn."""
    parts: Sequence[BenchmarkPart] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(part for game in self.games for part in self._parts(game)))

    def _parts(self, game: Game) -> Iterator[BenchmarkPart]:
        for bench_set in benchmark_of(game).sets:
            if bench_set.is_training:
                continue
            set_entries = load_entries(game.name, bench_set.name)[: self.max_setups]
            for opponent in bench_set.opponents or ("",):
                plan = ArenaPlan(
                    game,
                    (self.bot, opponent) if opponent else (self.bot,),
                    seed=_SEED,
                    players=bench_set.players,
                    options=bench_set.options,
                    setup_lines=[entry.setup for entry in set_entries],
                    seconds=self.seconds,
                    keep_records=bench_set.is_solved,
                )
                yield BenchmarkPart(game, bench_set, set_entries, plan, opponent)

    def __len__(self) -> int:
        return sum(len(part.plan) for part in self.parts)

    # --- settings

    @property
    def settings(self) -> dict[str, Any]:
        """All values on which the results depend, except the bot and the version of limina."""
        # Published hashes depend on these keys.
        sets = [
            {
                "game": part.game.name,
                "set": part.set.name,
                "options": dict(part.set.options),
                "setups": len(part.entries),
                "sha256": hashlib.sha256(_sorted_json([asdict(entry) for entry in part.entries]).encode()).hexdigest(),
                "rival": part.opponent,
            }
            for part in self.parts
        ]
        rungs = {game.name: [[rung.bot, rung.rating] for rung in load_ladder(game.name)] for game in self.games}
        return {"benchmark": VERSION, "seed": _SEED, "seconds": self.seconds, "sets": sets, "ladder": rungs}

    @property
    def hash(self) -> str:
        """Hash of the settings. Results with equal hashes can be compared."""
        return hashlib.sha256(_sorted_json(self.settings).encode()).hexdigest()[:12]

    # --- playing

    def play(
        self, *, jobs: int = 1, resumable: bool = False, progress: Callable[[int, int], None] = lambda done, total: None
    ) -> list[list[GameResult]]:
        """Play all games, and return the results of each part. A resumable run continues an interrupted one."""
        results: list[list[GameResult]] = []
        done = 0
        for part in self.parts:

            def report(done_in_part: int, total: int, result: GameResult, done_before: int = done) -> None:
                progress(done_before + done_in_part, len(self))

            results.append(run_arena(part.plan, jobs=jobs, resumable=resumable, keep_journal=True, progress=report))
            done += len(part.plan)
        if resumable:
            self.delete_journals()
        return results

    def delete_journals(self) -> None:
        """Delete the journals of an interrupted run."""
        for part in self.parts:
            delete_journal(default_journal_path(part.plan))

    # --- results

    def measurements(self, results: Sequence[Sequence[GameResult]]) -> list[Measurement]:
        """Return all measurements."""
        pairs = list(zip(self.parts, results, strict=True))
        return [
            row
            for game in self.games
            for bench_set in benchmark_of(game).sets
            for row in _set_rows([pair for pair in pairs if (pair[0].game, pair[0].set) == (game, bench_set)])
        ]

    def to_json(self, results: Sequence[Sequence[GameResult]]) -> dict[str, Any]:
        """Return settings and results as plain values."""
        from limina import __version__

        return {
            "bot": self.bot,
            "limina": __version__,
            "hash": self.hash,
            "whole": self.max_setups is None,
            "settings": self.settings,
            "rows": [asdict(row) for row in self.measurements(results)],
            "forfeits": self.forfeit_count(results),
            "turn_seconds": self.mean_turn_seconds(results),
        }

    def forfeit_count(self, results: Sequence[Sequence[GameResult]]) -> int:
        """Return the number of games that the bot forfeited."""
        pairs = zip(self.parts, results, strict=True)
        return sum(ArenaReport(part.plan, part_results).forfeit_count(0) for part, part_results in pairs)

    def mean_turn_seconds(self, results: Sequence[Sequence[GameResult]]) -> dict[str, float]:
        """Return the mean time of a turn of the bot by game."""
        means = {}
        for game in self.games:
            times = [
                (result.seconds[result.seats.index(0)], result.turn_counts[result.seats.index(0)])
                for part, part_results in zip(self.parts, results, strict=True)
                if part.game is game
                for result in part_results
            ]
            total_turns = sum(turns for _, turns in times)
            means[game.name] = round(sum(seconds for seconds, _ in times) / max(1, total_turns), 6)
        return means


def _set_rows(parts: Sequence[tuple[BenchmarkPart, Sequence[GameResult]]]) -> Iterator[Measurement]:
    """Yield the measurements of the parts of one set."""
    scores: dict[str, tuple[float, float]] = {}
    first_turns: dict[int, list[float]] = defaultdict(list)
    for part, results in parts:
        report, game_name, set_name = ArenaReport(part.plan, results), part.game.name, part.set.name
        points, share = report.mean_points(0), report.mean_share(0)
        if part.plan.seat_count == 1:
            if points is not None:
                yield Measurement.from_estimate(game_name, set_name, "", len(results), "points", points)
                yield from _par_rows(part, results)
            continue
        if share is not None:
            yield Measurement.from_estimate(game_name, set_name, part.opponent, len(results), "% won", _percent(share))
            pair = report.comparisons[0]
            scores[part.opponent] = pair.won + pair.drawn / 2, pair.lost + pair.drawn / 2
        if part.set.is_solved:
            _add_first_turns(part, results, first_turns)
    if not parts:
        return
    game_name, set_name = parts[0][0].game.name, parts[0][0].set.name
    if len(scores) > 1:
        rungs: Mapping[str, RatedBot] = {rung.bot: rung for rung in load_ladder(game_name)}
        rating = elo_from_scores([(rungs[opponent].rating, *score) for opponent, score in scores.items()])
        count = sum(len(results) for _, results in parts)
        elo = Estimate(rating.elo, rating.margin, count)
        yield Measurement.from_estimate(game_name, set_name, "the ladder", count, "Elo", elo)
    if first_turns:
        share = _percent(estimate_bounded_mean([sum(hits) / len(hits) for hits in first_turns.values()], 0, 1))
        yield Measurement.from_estimate(
            game_name, set_name, "exact values", len(first_turns), "% best first turns", share
        )


def _par_rows(part: BenchmarkPart, results: Sequence[GameResult]) -> Iterator[Measurement]:
    percentages = [
        100 * result.points[0] / par
        for result in results
        if result.points is not None and (par := part.entries[result.setup].par) is not None
    ]
    if percentages:
        mean = estimate_mean(percentages)
        yield Measurement.from_estimate(part.game.name, part.set.name, "par", len(percentages), "% of par", mean)


def _add_first_turns(part: BenchmarkPart, results: Sequence[GameResult], first_turns: dict[int, list[float]]) -> None:
    """Add 1 or 0 for each best or other first turn of the bot, on setups where it begins and not all turns are best."""
    for result in results:
        entry = part.entries[result.setup]
        if result.seats[0] != 0 or result.record is None or entry.keeping is None:
            continue
        record = Record.from_json(result.record)
        for position, step in zip(record.positions(), record.steps, strict=False):
            if step.player is not None:
                first_turns[result.setup].append(float(step.text in unpack_turns(position, entry.keeping)))
                break


def _percent(share: Estimate) -> Estimate:
    return Estimate(100 * share.mean, 100 * share.margin, share.sample_size)


def _sorted_json(value: object) -> str:
    return json.dumps(value, sort_keys=True)
