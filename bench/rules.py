"""The rules: playouts against the plain reference, legal turns, replays, import, memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from random import Random

from bench.measure import REPEATS, Figure, of, rate
from limina import Position, Record, game
from limina._kernel import _isa
from limina.limes import Deck
from limina.limit import Position as Limit
from reference import limes as plain_limes
from reference import limit as plain_limit
from support.games.records import play_on, ring_record

SEED = 1


def figures() -> Iterator[Figure]:
    """Every figure, as soon as it is there."""
    yield from limes_playouts()
    yield from limit_playouts()
    yield from legal_turns()
    yield from replays()
    yield import_time()
    yield from memory()


def limes_playouts() -> Iterator[Figure]:
    """A uniform cell, then turning, then worker action, from the empty display."""
    plain, chance = plain_limes.start(1, Deck.default().faces), Random(SEED)

    def slowly() -> int:
        for _ in range(60):
            plain_limes.playout(plain, chance)
        return 60

    yield from on_every_isa("Limes playouts", LIMES_PLAYOUTS, slowly, {"avx2": 2400})


def limit_playouts() -> Iterator[Figure]:
    """A uniform pawn move that allows a removal, then a uniform removal; size 8, two players, one layout."""
    start = Limit.random(8, 2, rng=Random(SEED))
    plain, chance = plain_limit.start(list(start.layout), 2), Random(SEED)

    def slowly() -> int:
        for _ in range(20):
            plain_limit.playout(plain, chance)
        return 20

    yield from on_every_isa("Limit playouts", LIMIT_PLAYOUTS, slowly, {"avx2": 2500})


LIMES_PLAYOUTS = """
from limina.limes import Position
start, games = Position.start(), 200_000
"""
LIMIT_PLAYOUTS = """
from random import Random
from limina.limit import Position
start, games = Position.random(8, 2, rng=Random(1)), 100_000
"""


def on_every_isa(name: str, setup: str, reference: Callable[[], int], aims: dict[str, float]) -> Iterator[Figure]:
    """Playouts on each ISA of the kernel that runs here, taken in turn with each other and with the reference.

    Each repeat of an ISA is a process of its own, which says how long it took in processor time: other work on the
    machine then hinders all alike.
    """
    code = setup + "import time\nbegun = time.process_time()\nstart.playouts(games, 1)\n"
    code += "print(games / (time.process_time() - begun))"
    found: dict[str, list[float]] = {isa: [] for isa in _isa.supported_isas()}
    plain = []
    for _ in range(REPEATS):
        begun = time.process_time()
        plain.append(reference() / (time.process_time() - begun))
        for isa, rates in found.items():
            environment = os.environ | {_isa.ISA_VARIABLE: isa}
            done = subprocess.run([sys.executable, "-c", code], check=True, env=environment, capture_output=True)
            rates.append(float(done.stdout))
    yield of(f"{name}, plain reference", plain, "/s, one core")
    for isa, rates in found.items():
        yield of(f"{name}, ISA {isa}", rates, "/s, one core")
    for isa, rates in found.items():
        aim = f"aim: at least {aims[isa]:g}" if isa in aims else ""
        ratios = [ours / theirs for ours, theirs in zip(rates, plain, strict=True)]
        yield of(f"{name}, ISA {isa} to reference", ratios, "times", aim)
    for isa in _isa.supported_isas()[1:]:
        ratios = [ours / words for ours, words in zip(found[isa], found["portable"], strict=True)]
        yield of(f"{name}, ISA {isa} to portable", ratios, "times")


def random_positions(name: str, games: int) -> list[tuple[Position, int]]:
    """Positions along random games, each with a player to move."""
    found: list[tuple[Position, int]] = []
    for seed in range(games):
        chance = Random(seed)
        the_game = game(name)
        position = the_game.start(the_game.spec.players[0])
        while position.outcome is None:
            if position.awaits_chance:
                position = position.apply(position.chance(chance))
                continue
            found.append((position, position.to_move[0]))
            position = position.play(chance.choice(position.legal_turns()))
    return found


def legal_turns() -> Iterator[Figure]:
    """All legal turns of positions from random games: in the kernel, and as Python turns."""
    for name in ("limes", "limit"):
        positions = random_positions(name, 20)
        counted = sum(len(position.legal_turns(player)) for position, player in positions)

        def quickly(positions: list[tuple[Position, int]] = positions) -> int:
            return sum(len(position.legal_turns(player)) for position, player in positions)

        def named(positions: list[tuple[Position, int]] = positions) -> int:
            return sum(1 for position, player in positions for _ in position.legal_turns(player))

        title = game(name).title
        for label, work in ((f"{title}, a legal turn", quickly), (f"{title}, a legal turn with its names", named)):
            speed = rate(label, work, "")
            nanoseconds = sorted(1e9 / value for value in (speed.median, speed.low, speed.high))
            yield of(label, nanoseconds, "ns", f"{counted / len(positions):.0f} turns a position")


def replays() -> Iterator[Figure]:
    """Whole records from JSON to their end."""
    for name in ("limes", "limit"):
        chance = Random(SEED)
        the_game = game(name)
        record = play_on(Record.new(the_game, ["Ada", "Ben"]), chance)
        text = record.write()

        def work(text: str = text) -> int:
            for _ in range(100):
                Record.read(text)
            return 100

        yield rate(f"{the_game.title}, records of two players replayed", work, "/s", note=f"{len(record.steps)} steps")
    yield long_records()


def long_records() -> Figure:
    """Whether a record of Limit in which no tile can be removed any more is read in a time that grows as it does."""
    taken: dict[int, list[float]] = {2_500: [], 10_000: []}
    for _ in range(5):
        for turns, seconds in taken.items():
            record = ring_record(turns)
            begun = time.process_time()
            Record.from_json(record)
            seconds.append((time.process_time() - begun) / turns)
    short, long = taken.values()
    ratios = [b / a for a, b in zip(short, long, strict=True)]
    return of("Limit, a turn of 10,000 to one of 2,500", ratios, "times", "aim: below 2")


def import_time() -> Figure:
    """From the start of Python to the package being there, less Python's own start."""
    found = []
    for _ in range(9):
        bare, loaded = (_seconds(code) for code in ("pass", "import limina, limina.limes, limina.limit"))
        found.append(1000 * (loaded - bare))
    return of("import of the package with both games", found, "ms", "aim: under 150")


def _seconds(code: str) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - begun


def memory() -> Iterator[Figure]:
    """What one more position costs in Python, the kernel's part included."""
    for name in ("limes", "limit"):
        position, player = random_positions(name, 1)[4]
        turns = list(position.legal_turns(player))[:200]
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        kept = [position.play(turn, player) for turn in turns]
        size = (tracemalloc.get_traced_memory()[0] - before) / len(kept)
        tracemalloc.stop()
        yield of(f"{game(name).title}, memory of a position", [size], "bytes", "64 of them the board")
