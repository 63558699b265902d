"""The rules: playouts compared with the plain reference, legal turns, replays, import time, and memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from random import Random

from bench.figure import REPEATS, Figure, figure, measure_rate
from limina import Position, Record, game
from limina._kernel import _isa
from limina.limes import Deck
from limina.limit import Position as Limit
from reference import limes as plain_limes
from reference import limit as plain_limit
from support.games.records import play_on, ring_record

SEED = 1


def figures() -> Iterator[Figure]:
    """Yield the figures as they are measured."""
    yield from limes_playouts()
    yield from limit_playouts()
    yield from legal_turns()
    yield from replays()
    yield import_time()
    yield from memory()


def limes_playouts() -> Iterator[Figure]:
    """Measure random games of Limes: a uniform cell, then a uniform turning, then a uniform worker action."""
    plain, rng = plain_limes.start(1, Deck.default().faces), Random(SEED)

    def play_reference() -> int:
        for _ in range(60):
            plain_limes.playout(plain, rng)
        return 60

    yield from playouts_by_isa("Limes playouts", LIMES_PLAYOUTS, play_reference, {"avx2": 2400})


def limit_playouts() -> Iterator[Figure]:
    """Measure random games of Limit: a uniform pawn move that allows a removal, then a uniform removal."""
    start = Limit.random(8, 2, rng=Random(SEED))
    plain, rng = plain_limit.start(list(start.layout), 2), Random(SEED)

    def play_reference() -> int:
        for _ in range(20):
            plain_limit.playout(plain, rng)
        return 20

    yield from playouts_by_isa("Limit playouts", LIMIT_PLAYOUTS, play_reference, {"avx2": 2500})


LIMES_PLAYOUTS = """
from limina.limes import Position
start, games = Position.start(), 200_000
"""
LIMIT_PLAYOUTS = """
from random import Random
from limina.limit import Position
start, games = Position.random(8, 2, rng=Random(1)), 100_000
"""


def playouts_by_isa(name: str, setup: str, reference: Callable[[], int], aims: dict[str, float]) -> Iterator[Figure]:
    """Measure playouts of the reference and on each ISA that this machine runs, alternately and in processor time.

    Each repeat of an ISA is a process of its own.
    """
    code = setup + "import time\nstarted = time.process_time()\nstart.playouts(games, 1)\n"
    code += "print(games / (time.process_time() - started))"
    rates_by_isa: dict[str, list[float]] = {isa: [] for isa in _isa.supported_isas()}
    plain = []
    for _ in range(REPEATS):
        started = time.process_time()
        plain.append(reference() / (time.process_time() - started))
        for isa, rates in rates_by_isa.items():
            environment = os.environ | {_isa.ISA_VARIABLE: isa}
            result = subprocess.run([sys.executable, "-c", code], check=True, env=environment, capture_output=True)
            rates.append(float(result.stdout))
    yield figure(f"{name}, plain reference", plain, "/s, one core")
    for isa, rates in rates_by_isa.items():
        yield figure(f"{name}, ISA {isa}", rates, "/s, one core")
    for isa, rates in rates_by_isa.items():
        aim = f"aim: at least {aims[isa]:g}" if isa in aims else ""
        ratios = [kernel / reference_rate for kernel, reference_rate in zip(rates, plain, strict=True)]
        yield figure(f"{name}, ISA {isa} to reference", ratios, "times", aim)
    for isa in _isa.supported_isas()[1:]:
        ratios = [rate / portable for rate, portable in zip(rates_by_isa[isa], rates_by_isa["portable"], strict=True)]
        yield figure(f"{name}, ISA {isa} to portable", ratios, "times")


def random_positions(name: str, games: int) -> list[tuple[Position, int]]:
    """Return all positions of random games, each with a player to move."""
    positions: list[tuple[Position, int]] = []
    for seed in range(games):
        rng = Random(seed)
        the_game = game(name)
        position = the_game.start(the_game.spec.players[0])
        while position.outcome is None:
            if position.awaits_chance:
                position = position.apply(position.draw_chance_step(rng))
                continue
            positions.append((position, position.to_move[0]))
            position = position.play(rng.choice(position.legal_turns()))
    return positions


def legal_turns() -> Iterator[Figure]:
    """Measure all legal turns of positions of random games: in the kernel, and as Python objects."""
    for name in ("limes", "limit"):
        positions = random_positions(name, 20)
        turn_count = sum(len(position.legal_turns(player)) for position, player in positions)

        def count_turns(positions: list[tuple[Position, int]] = positions) -> int:
            return sum(len(position.legal_turns(player)) for position, player in positions)

        def iterate_turns(positions: list[tuple[Position, int]] = positions) -> int:
            return sum(1 for position, player in positions for _ in position.legal_turns(player))

        title = game(name).title
        for label, work in (
            (f"{title}, a legal turn", count_turns),
            (f"{title}, a legal turn with its names", iterate_turns),
        ):
            speed = measure_rate(label, work, "")
            nanoseconds = sorted(1e9 / value for value in (speed.median, speed.low, speed.high))
            yield figure(label, nanoseconds, "ns", f"{turn_count / len(positions):.0f} turns a position")


def replays() -> Iterator[Figure]:
    """Measure reading and replaying a record of JSON."""
    for name in ("limes", "limit"):
        rng = Random(SEED)
        the_game = game(name)
        record = play_on(Record.new(the_game, ["Ada", "Ben"]), rng)
        text = record.to_json_text()

        def work(text: str = text) -> int:
            for _ in range(100):
                Record.from_json_text(text)
            return 100

        yield measure_rate(
            f"{the_game.title}, records of two players replayed", work, "/s", note=f"{len(record.steps)} steps"
        )
    yield long_records()


def long_records() -> Figure:
    """Compare the time per turn of a long record of Limit, in which no tile is removed, with that of a shorter one."""
    seconds_by_length: dict[int, list[float]] = {2_500: [], 10_000: []}
    for _ in range(5):
        for turns, seconds in seconds_by_length.items():
            record = ring_record(turns)
            started = time.process_time()
            Record.from_json(record)
            seconds.append((time.process_time() - started) / turns)
    short, long = seconds_by_length.values()
    ratios = [b / a for a, b in zip(short, long, strict=True)]
    return figure("Limit, a turn of 10,000 to one of 2,500", ratios, "times", "aim: below 2")


def import_time() -> Figure:
    """Measure a process that imports the package, less the start of Python."""
    times = []
    for _ in range(9):
        bare, loaded = (_seconds(code) for code in ("pass", "import limina, limina.limes, limina.limit"))
        times.append(1000 * (loaded - bare))
    return figure("import of the package with both games", times, "ms", "aim: under 150")


def _seconds(code: str) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - started


def memory() -> Iterator[Figure]:
    """Measure the memory of a position, with the part of the kernel."""
    for name in ("limes", "limit"):
        position, player = random_positions(name, 1)[4]
        turns = list(position.legal_turns(player))[:200]
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        positions = [position.play(turn, player) for turn in turns]
        size = (tracemalloc.get_traced_memory()[0] - before) / len(positions)
        tracemalloc.stop()
        yield figure(f"{game(name).title}, memory of a position", [size], "bytes", "64 of them the board")
