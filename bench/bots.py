"""Speed of the bots' searches with one thread and two, and their strength within fixed limits.

Speeds are measured over positions from the start to the end of one game. BENCH_BOTS_DEALS is the number of deals that a
bot plays alone, BENCH_BOTS_GAMES the number of games between two bots.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from random import Random

from bench.figure import Figure, figure, integer_settings, interval_figure, number_setting
from limina import Game, Record, game
from limina._kernel import _isa
from limina._kernel.limes import DECK_SIZE, ROUNDS
from limina.arena import ArenaPlan, ArenaReport, run_arena
from limina.arena.statistics import estimate_mean
from limina.bots import Bot, Budget, bot
from limina.limes import Deck
from limina.limes import bots as limes
from limina.limes.par import DEFAULT_MAX_ARRANGEMENTS, par
from limina.limit import bots as limit

SEED = 7
LEVELS = ("novice", "casual", "skilled", "master")
NO_TIME_LIMIT = 1e9
DEFAULT_BUDGET = Budget()


def figures() -> Iterator[Figure]:
    """Yield the figures as they are measured."""
    yield from search_speed()
    yield from master_turns_by_isa()
    yield from turn_times()
    yield from limes_scores()
    yield from par_figures()
    yield from level_comparisons()
    yield from master_against_uct()


def positions_of_a_game(name: str, players: int, count: int, **options: int) -> list[tuple[Record, int]]:
    """Return positions of a game of skilled bots, evenly from its start to its end, each with the player to move."""
    the_game, rng = game(name), Random(SEED)
    player = bot(the_game, "skilled", seed=SEED)
    record = Record.new(the_game, [f"player {seat + 1}" for seat in range(players)], **options)
    records = []
    while record.position.outcome is None:
        if record.position.awaits_chance:
            record = record.apply_random_chance_step(rng)
            continue
        mover = record.position.to_move[0]
        records.append((record, mover))
        record = record.play(player.choose(record, mover, DEFAULT_BUDGET).turn, mover)
    return [records[index * len(records) // count] for index in range(count)]


def search_rate(player: Bot, positions: list[tuple[Record, int]]) -> float:
    """Return the search work per second over all positions together."""
    started = time.perf_counter()
    infos = [player.choose(record, mover, DEFAULT_BUDGET).info for record, mover in positions]
    seconds = time.perf_counter() - started
    return sum(info.work for info in infos if info is not None) / seconds


def search_speed() -> Iterator[Figure]:
    """Measure the search work per second with one thread and two, at the same positions with the same limits."""
    repeats = int(number_setting("BOTS_REPEATS", 3))
    subjects: list[tuple[str, int, str, Callable[..., Bot]]] = [
        ("limes", 1, "Limes alone, rollouts of the master", limes.master),
        ("limit", 2, "Limit, positions judged by the master", partial(limit.master, nodes=400_000)),
    ]
    for name, players, label, factory in subjects:
        # The last positions are omitted, since their search often ends at once.
        positions = positions_of_a_game(name, players, 8)[:6]
        single, double = [], []
        for _ in range(repeats):
            single.append(search_rate(factory(threads=1, milliseconds=NO_TIME_LIMIT), positions))
            double.append(search_rate(factory(threads=2, milliseconds=NO_TIME_LIMIT), positions))
        yield figure(f"{label}, one thread", single, "/s", f"{len(positions)} positions of a game")
        yield figure(f"{label}, two threads", double, "/s", f"{len(positions)} positions of a game")
        gains = [two / one for one, two in zip(single, double, strict=True)]
        yield figure(f"{label}, two threads to one", gains, "times", f"measured alternately, {os.cpu_count()} cores")
    positions = positions_of_a_game("limit", 2, 8)[:6]
    plain = [search_rate(limit.uct(nodes=20_000), positions) for _ in range(repeats)]
    yield figure("Limit, playouts of uct, one thread", plain, "/s", f"{len(positions)} positions of a game")


def turn_times() -> Iterator[Figure]:
    """Measure the time of a turn of each level."""
    for name, players, levels in (("limes", 1, LEVELS), ("limes", 2, LEVELS[-1:]), ("limit", 2, LEVELS)):
        the_game = game(name)
        positions = positions_of_a_game(name, players, 12)
        for level in levels:
            player = bot(the_game, level, seed=SEED)
            times = []
            for record, mover in positions:
                started = time.perf_counter()
                player.choose(record, mover, DEFAULT_BUDGET)
                times.append(1000 * (time.perf_counter() - started))
            seats = "alone" if players == 1 else "by two"
            yield figure(
                f"{the_game.title} {seats}, a turn of {level}", times, "ms", "one thread; 12 positions of a game"
            )


def master_turns_by_isa() -> Iterator[Figure]:
    """Measure the processor time of a turn of the master on each ISA of the kernel, alternately."""
    for name, players, options in (
        ("limes", 1, {}),
        ("limit", 2, {}),
        ("limit", 2, {"size": 16}),
        ("limit", 3, {"size": 16}),
    ):
        times_by_isa: dict[str, list[float]] = {isa: [] for isa in _isa.supported_isas()}
        code = f"from bench.bots import master_turns; print(*master_turns({name!r}, {players}, {options!r}))"
        for isa, times in times_by_isa.items():
            environment = os.environ | {_isa.ISA_VARIABLE: isa}
            done = subprocess.run([sys.executable, "-c", code], check=True, env=environment, capture_output=True)
            times += map(float, done.stdout.split())
        label = f"{game(name).title} by {players}{''.join(f', {key} {value}' for key, value in options.items())}"
        for isa, times in times_by_isa.items():
            aim = "" if isa == "portable" else "; aim: within 500"
            yield figure(f"{label}, a turn of master, ISA {isa}", times, "ms", f"processor time, 5 positions{aim}")
        for isa in _isa.supported_isas()[1:]:
            ratios = [
                plain / quick
                for plain, quick in zip(times_by_isa["portable"], times_by_isa[isa], strict=True)
                if quick > 1
            ]
            yield figure(f"{label}, ISA {isa} to portable", ratios, "times", "the same turns")


def master_turns(name: str, players: int, options: dict[str, int]) -> list[float]:
    """Return milliseconds of processor time for turns of one game. Runs in a process of its own for each ISA."""
    player = bot(game(name), "master", seed=SEED)
    times = []
    for record, mover in positions_of_a_game(name, players, 5, **options):
        started = time.process_time()
        player.choose(record, mover, DEFAULT_BUDGET)
        times.append(1000 * (time.process_time() - started))
    return times


def limes_scores() -> Iterator[Figure]:
    """Measure the mean points of every level over the same deals, and of the master with lower limits."""
    deals = max(2, int(number_setting("BOTS_DEALS", 12)))  # one deal has no interval
    the_game = game("limes")
    for level, aim in (("novice", "25 to 32"), ("casual", "34 to 39"), ("skilled", "42 to 46")):
        yield mean_points(the_game, level, level, 10 * deals, f"aim: {aim}")
    yield mean_points(the_game, "master", "master", deals, "aim: at least 50 within 1 s a turn")
    for rollouts in integer_settings("BOTS_ROLLOUTS", "300"):
        yield mean_points(the_game, f"master, {rollouts:,} rollouts", f"master@rollouts={rollouts}", deals)
    yield mean_points(the_game, "master, 100 ms a turn", "master@milliseconds=100", deals, "aim: at least 49.3")


def parallel_games() -> int:
    """Return the number of games that are played at the same time."""
    return int(number_setting("BOTS_JOBS", min(2, os.cpu_count() or 1)))


def mean_points(the_game: Game, label: str, name: str, deals: int, aim: str = "") -> Figure:
    """Return the mean points of a bot alone."""
    plan = ArenaPlan(the_game, (name,), games=deals, seed=SEED, players=1)
    report = ArenaReport(plan, run_arena(plan, jobs=parallel_games()))
    points = report.mean_points(0)
    assert points is not None
    details = f"{deals} deals, {1000 * report.mean_turn_seconds(0):.3g} ms a turn{'; ' if aim else ''}{aim}"
    return interval_figure(f"{the_game.title} alone, {label}", points.mean, points.margin, "points", details)


def par_figures() -> Iterator[Figure]:
    """Measure the mean of par over the same deals, by the number of arrangements and by time."""
    rng, deals = Random(SEED), max(2, int(number_setting("BOTS_PAR_DEALS", 12)))
    all_draws = [rng.sample(range(1, DECK_SIZE + 1), ROUNDS) for _ in range(deals)]
    for arrangements in integer_settings("BOTS_ARRANGEMENTS", f"100000 {DEFAULT_MAX_ARRANGEMENTS}"):
        started = time.perf_counter()
        totals = [par(Deck.default(), draws, max_arrangements=arrangements).total for draws in all_draws]
        seconds = (time.perf_counter() - started) / deals
        yield mean_figure(
            f"Limes par, {arrangements:,} arrangements", totals, "points", f"{deals} deals, {seconds:.2g} s each"
        )
    gaps = [result.bound - result.total for result in (par(Deck.default(), draws) for draws in all_draws)]
    yield mean_figure("Limes par, from the best found to the proven bound", gaps, "points", f"{deals} deals")
    for threads in (1, 2):
        totals = [par(Deck.default(), draws, max_seconds=1, threads=threads).total for draws in all_draws]
        cores = "one core" if threads == 1 else "two cores"
        yield mean_figure(f"Limes par, 1 s on {cores}", totals, "points", f"{deals} deals; aim: at least 53.5")


def mean_figure(name: str, values: list[int], unit: str, note: str) -> Figure:
    """Return the figure of a mean over deals."""
    mean = estimate_mean(values)
    return interval_figure(name, mean.mean, mean.margin, unit, note)


def level_comparisons() -> Iterator[Figure]:
    """Measure each level against the one below with two players; every setup is played from both seats."""
    games = max(4, int(number_setting("BOTS_GAMES", 8)))
    for name in ("limes", "limit"):
        for below, above in pairwise(LEVELS):
            # A game of masters takes seconds, those of the others are short.
            yield win_share(game(name), above, below, games if above == "master" else 10 * games, "aim: at least 70%")


def master_against_uct() -> Iterator[Figure]:
    """Measure the master against plain UCT with the same time per turn."""
    games = max(4, int(number_setting("BOTS_GAMES", 8)))
    for milliseconds in integer_settings("BOTS_MILLISECONDS", "200"):
        limits = f"milliseconds={milliseconds},nodes={10**9}"
        pair = (f"master@{limits}", f"uct@{limits}")
        names = (f"master at {milliseconds} ms", f"uct at {milliseconds} ms")
        aim = "aim: at least 80%" if milliseconds == 200 else ""
        yield win_share(game("limit"), *pair, games, aim, names)


def win_share(
    the_game: Game, first: str, second: str, games: int, note: str, names: tuple[str, str] | None = None
) -> Figure:
    """Measure the share of wins of one bot against another."""
    plan = ArenaPlan(the_game, (first, second), games=games, seed=SEED)
    report = ArenaReport(plan, run_arena(plan, jobs=parallel_games()))
    share = report.mean_share(0)
    assert share is not None
    labels = names or (first, second)
    times = [1000 * report.mean_turn_seconds(bot_index) for bot_index in (0, 1)]
    details = f"{len(plan)} games, {times[0]:.3g} and {times[1]:.3g} ms a turn"
    label = f"{the_game.title}, {labels[0]} against {labels[1]}"
    result = interval_figure(label, 100 * share.mean, 100 * share.margin, "%", "; ".join(filter(None, (details, note))))
    return replace(result, low=max(0.0, result.low), high=min(100.0, result.high))
