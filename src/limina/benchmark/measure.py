"""Measuring a bot: the plans that it plays, the hash of what was set, and the figures of what it played."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import isfinite
from typing import Any

from limina.arena import Plan, Played, Report, run
from limina.arena.journal import forget, usual_path
from limina.arena.statistics import Estimate, against, bounded, estimate
from limina.benchmark.setups import VERSION, Entry, Rung, benchmark_of, entries, kept, ladder
from limina.bots.ask import DEFAULT_TURN_SECONDS
from limina.core.game import Game
from limina.core.record import Record
from limina.core.spec import BenchmarkSet

QUICK = 10
"""How many setups of each set a quick look plays."""
_SEED = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One figure."""

    game: str
    set: str
    against: str
    """The bot that was met, or what the figure was compared with; empty where the bot was alone."""
    count: int
    """How many games or first turns it is taken from."""
    measure: str
    value: float
    within: float | None
    """Half of its 95% interval; None where one value says nothing about others."""

    @classmethod
    def of(cls, game: str, chosen: str, against: str, count: int, measure: str, found: Estimate) -> Row:
        """The row of an estimate."""
        within = round(found.within, 3) if isfinite(found.within) else None
        return cls(game, chosen, against, count, measure, round(found.mean, 3), within)


@dataclass(frozen=True)
class Part:
    """A set, and a rival on it if the set has any."""

    game: Game
    set: BenchmarkSet
    entries: Sequence[Entry]
    plan: Plan
    rival: str = ""


@dataclass(frozen=True)
class Benchmark:
    """A bot to be measured, on all games that have a benchmark or on some.

    >>> from limina import game
    >>> measured = Benchmark("novice", (game("limes"),), most=3)
    >>> [row.measure for row in measured.rows(measured.play())]
    ['points', '% of par']
    """

    bot: str
    games: Sequence[Game]
    most: int | None = None
    """How many setups of each set are played, where not all are."""
    seconds: float = DEFAULT_TURN_SECONDS
    """What a bot may take for a turn."""
    parts: Sequence[Part] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(part for game in self.games for part in self._parts(game)))

    def _parts(self, game: Game) -> Iterator[Part]:
        for each in benchmark_of(game).sets:
            if each.is_training:
                continue
            chosen = entries(game.name, each.name)[: self.most]
            for rival in each.opponents or ("",):
                plan = Plan(
                    game,
                    (self.bot, rival) if rival else (self.bot,),
                    seed=_SEED,
                    players=each.players,
                    options=each.options,
                    lines=[entry.setup for entry in chosen],
                    seconds=self.seconds,
                    keep=each.is_solved,
                )
                yield Part(game, each, chosen, plan, rival)

    def __len__(self) -> int:
        return sum(len(part.plan) for part in self.parts)

    # --- what was set

    @property
    def settings(self) -> dict[str, Any]:
        """All that figures depend on beside the bot itself and the version of limina."""
        sets = [
            {
                "game": part.game.name,
                "set": part.set.name,
                "options": dict(part.set.options),
                "setups": len(part.entries),
                "sha256": hashlib.sha256(_written([asdict(entry) for entry in part.entries]).encode()).hexdigest(),
                "rival": part.rival,
            }
            for part in self.parts
        ]
        rungs = {game.name: [[rung.bot, rung.rating] for rung in ladder(game.name)] for game in self.games}
        return {"benchmark": VERSION, "seed": _SEED, "seconds": self.seconds, "sets": sets, "ladder": rungs}

    @property
    def hash(self) -> str:
        """Figures with the same one can be compared."""
        return hashlib.sha256(_written(self.settings).encode()).hexdigest()[:12]

    # --- playing

    def play(
        self, *, jobs: int = 1, resumable: bool = False, progress: Callable[[int, int], None] = lambda done, of: None
    ) -> list[list[Played]]:
        """The games of each part. What was played before a resumable run was interrupted is not played again."""
        played: list[list[Played]] = []
        done = 0
        for part in self.parts:

            def heard(within: int, of: int, game: Played, before: int = done) -> None:
                progress(before + within, len(self))

            played.append(run(part.plan, jobs=jobs, resumable=resumable, keep_journal=True, progress=heard))
            done += len(part.plan)
        if resumable:
            self.forget()
        return played

    def forget(self) -> None:
        """Forget what an interrupted run has played."""
        for part in self.parts:
            forget(usual_path(part.plan))

    # --- what came of it

    def rows(self, played: Sequence[Sequence[Played]]) -> list[Row]:
        """All figures."""
        return [
            row
            for game in self.games
            for each in benchmark_of(game).sets
            for row in self._set_rows(
                [(part, g) for part, g in zip(self.parts, played, strict=True) if (part.game, part.set) == (game, each)]
            )
        ]

    def _set_rows(self, parts: Sequence[tuple[Part, Sequence[Played]]]) -> Iterator[Row]:
        met: dict[str, tuple[float, float]] = {}
        firsts: dict[int, list[float]] = defaultdict(list)
        for part, games in parts:
            report, name, chosen = Report(part.plan, games), part.game.name, part.set.name
            points, share = report.points(0), report.share(0)
            if part.plan.seats == 1:
                if points is not None:
                    yield Row.of(name, chosen, "", len(games), "points", points)
                    yield from _of_par(part, games)
                continue
            if share is not None:
                yield Row.of(name, chosen, part.rival, len(games), "% won", _percent(share))
                pair = report.pairs[0]
                met[part.rival] = pair.won + pair.drawn / 2, pair.lost + pair.drawn / 2
            if part.set.is_solved:
                _note_firsts(part, games, firsts)
        rungs: Mapping[str, Rung] = {rung.bot: rung for rung in ladder(parts[0][0].game.name)} if parts else {}
        if len(met) > 1:
            rating = against([(rungs[rival].rating, *scores) for rival, scores in met.items()])
            count = sum(len(games) for _, games in parts)
            found = Estimate(rating.elo, rating.within, count)
            yield Row.of(parts[0][0].game.name, parts[0][0].set.name, "the ladder", count, "Elo", found)
        if firsts:
            found = bounded([sum(each) / len(each) for each in firsts.values()], 0, 1)
            part = parts[0][0]
            yield Row.of(
                part.game.name, part.set.name, "exact values", len(firsts), "% best first turns", _percent(found)
            )

    def to_json(self, played: Sequence[Sequence[Played]]) -> dict[str, Any]:
        """Everything as plain values."""
        from limina import __version__

        return {
            "bot": self.bot,
            "limina": __version__,
            "hash": self.hash,
            "whole": self.most is None,
            "settings": self.settings,
            "rows": [asdict(row) for row in self.rows(played)],
            "forfeits": self.forfeits(played),
            "turn_seconds": self.turn_seconds(played),
        }

    def forfeits(self, played: Sequence[Sequence[Played]]) -> int:
        """How many games the bot forfeited."""
        pairs = zip(self.parts, played, strict=True)
        return sum(Report(part.plan, games).forfeits(0) for part, games in pairs)

    def turn_seconds(self, played: Sequence[Sequence[Played]]) -> dict[str, float]:
        """The mean time of a turn in each game."""
        found = {}
        for game in self.games:
            own = [
                (each.seconds[each.seats.index(0)], each.asked[each.seats.index(0)])
                for part, games in zip(self.parts, played, strict=True)
                if part.game is game
                for each in games
            ]
            found[game.name] = round(sum(spent for spent, _ in own) / max(1, sum(asked for _, asked in own)), 6)
        return found


def _of_par(part: Part, games: Sequence[Played]) -> Iterator[Row]:
    parts = [
        100 * game.points[0] / par
        for game in games
        if game.points is not None and (par := part.entries[game.setup].par) is not None
    ]
    if parts:
        yield Row.of(part.game.name, part.set.name, "par", len(parts), "% of par", estimate(parts))


def _note_firsts(part: Part, games: Sequence[Played], firsts: dict[int, list[float]]) -> None:
    """Whether the bot's first turns kept what the start was worth, where it began and not every turn does."""
    for game in games:
        entry = part.entries[game.setup]
        if game.seats[0] != 0 or game.record is None or entry.keeping is None:
            continue
        record = Record.from_json(game.record)
        for position, step in zip(record.positions(), record.steps, strict=False):
            if step.player is not None:
                firsts[game.setup].append(float(step.text in kept(position, entry.keeping)))
                break


def _percent(found: Estimate) -> Estimate:
    return Estimate(100 * found.mean, 100 * found.within, found.values)


def _written(value: object) -> str:
    return json.dumps(value, sort_keys=True)
