"""The bots: speed of their searches, what a second core brings, and how well they play within fixed bounds.

Speeds come from positions along one game, so that beginning, middle and end count alike. BENCH_BOTS_DEALS and
BENCH_BOTS_GAMES say how many deals are played alone and how many games against each other.
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

from bench.measure import Figure, between, of, setting, settings
from limina import Game, Record, game
from limina._kernel import _isa
from limina._kernel.limes import CARDS, ROUNDS
from limina.arena import Plan, Report, run
from limina.arena.statistics import estimate
from limina.bots import Bot, Budget, bot
from limina.limes import Deck
from limina.limes import bots as limes
from limina.limes.par import ARRANGEMENTS, par
from limina.limit import bots as limit

SEED = 7
LEVELS = ("novice", "casual", "skilled", "master")
ENDLESS = 1e9
AS_USUAL = Budget()


def figures() -> Iterator[Figure]:
    """Every figure, as soon as it is there."""
    yield from search_speed()
    yield from turns_on_every_isa()
    yield from turn_times()
    yield from limes_alone()
    yield from pars()
    yield from levels()
    yield from limit_against_uct()


def along_a_game(name: str, players: int, number: int, **options: int) -> list[tuple[Record, int]]:
    """Moments of one game of good players, evenly from its beginning to its end."""
    the_game, rng = game(name), Random(SEED)
    player = bot(the_game, "skilled", seed=SEED)
    record = Record.new(the_game, [f"player {seat + 1}" for seat in range(players)], **options)
    found = []
    while record.end.outcome is None:
        if record.end.awaits_chance:
            record = record.apply_chance(rng)
            continue
        mover = record.end.to_move[0]
        found.append((record, mover))
        record = record.play(player.choose(record, mover, AS_USUAL).turn, mover)
    return [found[at * len(found) // number] for at in range(number)]


def speed(player: Bot, moments: list[tuple[Record, int]]) -> float:
    """Work a second over all moments together."""
    begun = time.perf_counter()
    infos = [player.choose(record, mover, AS_USUAL).info for record, mover in moments]
    seconds = time.perf_counter() - begun
    return sum(info.work for info in infos if info is not None) / seconds


def search_speed() -> Iterator[Figure]:
    """Work a second on one thread and on two, the same positions and the same bounds of work."""
    repeats = int(setting("BOTS_REPEATS", 3))
    subjects: list[tuple[str, int, str, Callable[..., Bot]]] = [
        ("limes", 1, "Limes alone, rollouts of the master", limes.master),
        ("limit", 2, "Limit, positions judged by the master", partial(limit.master, nodes=400_000)),
    ]
    for name, players, label, make in subjects:
        # The last turns are often solved in no time, which says nothing about speed.
        positions = along_a_game(name, players, 8)[:6]
        ones, twos = [], []
        for _ in range(repeats):
            ones.append(speed(make(threads=1, milliseconds=ENDLESS), positions))
            twos.append(speed(make(threads=2, milliseconds=ENDLESS), positions))
        yield of(f"{label}, one thread", ones, "/s", f"{len(positions)} positions of a game")
        yield of(f"{label}, two threads", twos, "/s", f"{len(positions)} positions of a game")
        gains = [two / one for one, two in zip(ones, twos, strict=True)]
        yield of(f"{label}, two threads to one", gains, "times", f"taken in turn, {os.cpu_count()} cores")
    positions = along_a_game("limit", 2, 8)[:6]
    plain = [speed(limit.uct(nodes=20_000), positions) for _ in range(repeats)]
    yield of("Limit, playouts of uct, one thread", plain, "/s", f"{len(positions)} positions of a game")


def turn_times() -> Iterator[Figure]:
    """How long each level thinks about a turn."""
    for name, players, levels in (("limes", 1, LEVELS), ("limes", 2, LEVELS[-1:]), ("limit", 2, LEVELS)):
        the_game = game(name)
        positions = along_a_game(name, players, 12)
        for level in levels:
            player = bot(the_game, level, seed=SEED)
            found = []
            for record, mover in positions:
                begun = time.perf_counter()
                player.choose(record, mover, AS_USUAL)
                found.append(1000 * (time.perf_counter() - begun))
            seats = "alone" if players == 1 else "by two"
            yield of(f"{the_game.title} {seats}, a turn of {level}", found, "ms", "one thread; 12 positions of a game")


def turns_on_every_isa() -> Iterator[Figure]:
    """How long the master thinks about a turn on each ISA of the kernel, in processor time, all ISAs in turn."""
    for name, players, options in (
        ("limes", 1, {}),
        ("limit", 2, {}),
        ("limit", 2, {"size": 16}),
        ("limit", 3, {"size": 16}),
    ):
        found: dict[str, list[float]] = {isa: [] for isa in _isa.supported_isas()}
        code = f"from bench.bots import master_turns; print(*master_turns({name!r}, {players}, {options!r}))"
        for isa, times in found.items():
            environment = os.environ | {_isa.ISA_VARIABLE: isa}
            done = subprocess.run([sys.executable, "-c", code], check=True, env=environment, capture_output=True)
            times += map(float, done.stdout.split())
        label = f"{game(name).title} by {players}{''.join(f', {key} {value}' for key, value in options.items())}"
        for isa, times in found.items():
            aim = "" if isa == "portable" else "; aim: within 500"
            yield of(f"{label}, a turn of master, ISA {isa}", times, "ms", f"processor time, 5 positions{aim}")
        for isa in _isa.supported_isas()[1:]:
            ratios = [plain / quick for plain, quick in zip(found["portable"], found[isa], strict=True) if quick > 1]
            yield of(f"{label}, ISA {isa} to portable", ratios, "times", "the same turns")


def master_turns(name: str, players: int, options: dict[str, int]) -> list[float]:
    """Milliseconds of processor time for turns along one game."""
    player = bot(game(name), "master", seed=SEED)
    found = []
    for record, mover in along_a_game(name, players, 5, **options):
        begun = time.process_time()
        player.choose(record, mover, AS_USUAL)
        found.append(1000 * (time.process_time() - begun))
    return found


def limes_alone() -> Iterator[Figure]:
    """Mean points over the same deals: every level, and the master within less work."""
    few = max(2, int(setting("BOTS_DEALS", 12)))  # one deal has no interval
    the_game = game("limes")
    for level, aim in (("novice", "25 to 32"), ("casual", "34 to 39"), ("skilled", "42 to 46")):
        yield mean_points(the_game, level, level, 10 * few, f"aim: {aim}")
    yield mean_points(the_game, "master", "master", few, "aim: at least 50 within 1 s a turn")
    for rollouts in settings("BOTS_ROLLOUTS", "300"):
        yield mean_points(the_game, f"master, {rollouts:,} rollouts", f"master@rollouts={rollouts}", few)
    yield mean_points(the_game, "master, 100 ms a turn", "master@milliseconds=100", few, "aim: at least 49.3")


def jobs() -> int:
    """Games that are played at once, each on a core of its own."""
    return int(setting("BOTS_JOBS", min(2, os.cpu_count() or 1)))


def mean_points(the_game: Game, label: str, name: str, deals: int, aim: str = "") -> Figure:
    """One bot alone."""
    plan = Plan(the_game, (name,), games=deals, seed=SEED, players=1)
    report = Report(plan, run(plan, jobs=jobs()))
    points = report.points(0)
    assert points is not None
    spent = f"{deals} deals, {1000 * report.turn_seconds(0):.3g} ms a turn{'; ' if aim else ''}{aim}"
    return between(f"{the_game.title} alone, {label}", points.mean, points.within, "points", spent)


def pars() -> Iterator[Figure]:
    """The best score found for known deals, by arrangements tried and by time."""
    rng, deals = Random(SEED), max(2, int(setting("BOTS_PARS", 12)))
    dealt = [rng.sample(range(1, CARDS + 1), ROUNDS) for _ in range(deals)]
    for arrangements in settings("BOTS_ARRANGEMENTS", f"100000 {ARRANGEMENTS}"):
        begun = time.perf_counter()
        found = [par(Deck.default(), draws, budget=arrangements).total for draws in dealt]
        seconds = (time.perf_counter() - begun) / deals
        yield mean(f"Limes par, {arrangements:,} arrangements", found, "points", f"{deals} deals, {seconds:.2g} s each")
    gaps = [each.bound - each.total for each in (par(Deck.default(), draws) for draws in dealt)]
    yield mean("Limes par, from the best found to the proven bound", gaps, "points", f"{deals} deals")
    for threads in (1, 2):
        found = [par(Deck.default(), draws, seconds=1, threads=threads).total for draws in dealt]
        cores = "one core" if threads == 1 else "two cores"
        yield mean(f"Limes par, 1 s on {cores}", found, "points", f"{deals} deals; aim: at least 53.5")


def mean(name: str, values: list[int], unit: str, note: str) -> Figure:
    """A mean over deals."""
    found = estimate(values)
    return between(name, found.mean, found.within, unit, note)


def levels() -> Iterator[Figure]:
    """Each level against the one below, by two, every setup from both seats."""
    games = max(4, int(setting("BOTS_GAMES", 8)))
    for name in ("limes", "limit"):
        for below, above in pairwise(LEVELS):
            # A game of masters takes seconds, one of the others next to nothing.
            yield score(game(name), above, below, games if above == "master" else 10 * games, "aim: at least 70%")


def limit_against_uct() -> Iterator[Figure]:
    """The master against plain UCT, both within the same time."""
    games = max(4, int(setting("BOTS_GAMES", 8)))
    for milliseconds in settings("BOTS_MILLISECONDS", "200"):
        bounds = f"milliseconds={milliseconds},nodes={10**9}"
        pair = (f"master@{bounds}", f"uct@{bounds}")
        names = (f"master at {milliseconds} ms", f"uct at {milliseconds} ms")
        aim = "aim: at least 80%" if milliseconds == 200 else ""
        yield score(game("limit"), *pair, games, aim, names)


def score(
    the_game: Game, first: str, second: str, games: int, note: str, names: tuple[str, str] | None = None
) -> Figure:
    """One bot's share of the win against another."""
    plan = Plan(the_game, (first, second), games=games, seed=SEED)
    report = Report(plan, run(plan, jobs=jobs()))
    share = report.share(0)
    assert share is not None
    called = names or (first, second)
    spent = f"{len(plan)} games, {1000 * report.turn_seconds(0):.3g} and {1000 * report.turn_seconds(1):.3g} ms a turn"
    label = f"{the_game.title}, {called[0]} against {called[1]}"
    found = between(label, 100 * share.mean, 100 * share.within, "%", "; ".join(filter(None, (spent, note))))
    return replace(found, low=max(0.0, found.low), high=min(100.0, found.high))
