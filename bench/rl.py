"""Environments for learners: steps a processor second on one core, with those of others beside them where installed."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

import limina.rl
from bench.measure import REPEATS, Figure, of

UNIT = "steps/s, one core"


def figures() -> Iterator[Figure]:
    """Every figure, as soon as it is there."""
    yield from batches()
    yield threads(32_768)
    yield threads(4_096)
    yield single("limina/Limes-v0")
    yield single("limina/Limit-v0", opponent="random")
    yield from others()


def processor_rate(name: str, work: Callable[[], int], unit: str = UNIT, note: str = "") -> Figure:
    """How many things a second of the processor's time, so that a busy machine does not count."""
    found = []
    for _ in range(REPEATS):
        begun = time.process_time()
        done = work()
        found.append(done / (time.process_time() - begun))
    return of(name, found, unit, note)


def stepped(many: limina.rl.Batch, steps: int) -> Callable[[], int]:
    """Steps of random legal clicks, which the batch picks itself."""
    many.reset(1)

    def work() -> int:
        for _ in range(steps):
            many.step(many.sample())
        return steps * many.n

    return work


def batches() -> Iterator[Figure]:
    """Whole batches on one core, the picking of clicks counted too."""
    kinds: list[tuple[str, int, dict[str, Any], str]] = [
        ("limes", 4096, {}, "planes, mask, reward of each turn; aim: at least 4,000,000"),
        ("limes", 4096, {"packed": True, "reward": "final"}, "packed, reward at the end; aim: at least 8,000,000"),
        ("limit", 256, {"layouts": 8}, "size 8, 8 layouts; aim: at least 2,000,000"),
        ("limit", 256, {"layouts": 8, "packed": True}, "size 8, 8 layouts, packed"),
        ("limit", 256, {"layouts": 512}, "size 8, 512 layouts"),
        ("limit", 256, {}, "size 8, a layout dealt for each game"),
    ]
    for name, n, options, note in kinds:
        many = limina.rl.batch(name, n, **options)
        steps = 600_000 // n
        what, _, aim = note.partition("; ")
        yield processor_rate(f"{name}, batch of {n:,}: {what}", stepped(many, steps), note=aim)
    many = limina.rl.batch("limes", 256)
    many.reset(1)

    def look() -> int:
        for _ in range(16):  # a whole game
            many.play(many.afterstates(32).turns[:, 0])
        return 16 * many.n

    yield processor_rate("limes, the 32 best turns of a position with features", look, "positions/s, one core")


def threads(n: int) -> Figure:
    """Two threads by the clock against the processor time of one, in rounds of some bursts of each.

    So whoever gets in the way of the one does the two no favour. And a round counts only if nobody else had more than a
    little of both cores while the two ran: that says the processor time of the whole machine less that of this process.
    What two threads can gain here at all says a yardstick in the same rounds: two threads of numpy that share nothing.
    """
    rounds, wanted, bursts, little = 60, 12, 5, 0.03
    steps = (1 << 18) // n
    one, two = (stepped(limina.rl.batch("limes", n, threads=number), steps) for number in (1, 2))
    numbers = [np.random.default_rng(seed).random(20_000) for seed in (1, 2)]

    def sines(array: NDArray[np.float64]) -> None:
        for _ in range(200):
            np.sin(array, out=array)

    gains, sine_gains = [], []
    with ThreadPoolExecutor(1) as pool:

        def both() -> None:
            other = pool.submit(sines, numbers[1])
            sines(numbers[0])
            other.result()

        works: tuple[Callable[[], object], ...] = (one, two, partial(sines, numbers[0]), both)
        clocks = (time.process_time, time.perf_counter) * 2
        for _ in range(rounds):
            seconds, foreign = np.zeros(4), 0.0
            for _ in range(bursts):
                for i, (work, clock) in enumerate(zip(works, clocks, strict=True)):
                    before, begun = others_time(), clock()
                    work()
                    seconds[i] += clock() - begun
                    foreign += others_time() - before if clock is time.perf_counter else 0.0
            if foreign <= little * 2 * (seconds[1] + seconds[3]):
                gains.append(seconds[0] / seconds[1])
                sine_gains.append(2 * seconds[2] / seconds[3])
            if len(gains) == wanted:
                break
    yardstick = f"numpy gained {np.median(sine_gains):.2f}" if gains else "others were at work all the time"
    note = f"{len(gains)} rounds without others; {yardstick}; aim: at least 1.7"
    return of(f"limes, batch of {n:,}, two threads to one", gains or [math.nan], "times", note)


def others_time() -> float:
    """Processor time that all but this process have had, in seconds; nothing where Linux does not count it."""
    try:
        user, nice, system, _, _, *interrupts = map(int, Path("/proc/stat").read_text().split(None, 9)[1:9])
    except OSError:
        return 0.0
    busy = user + nice + system + sum(interrupts)  # with what a host takes away
    return busy / os.sysconf("SC_CLK_TCK") - time.process_time()


def single(name: str, **options: Any) -> Figure:
    """One environment through Gymnasium, the clicks picked from its masks."""
    env = gymnasium.make(f"limina.rl:{name}", **options)
    info = env.reset(seed=1)[1]
    pick = Random(1).random

    def work() -> int:
        nonlocal info
        for _ in range(5_000):
            legal = info["action_mask"].nonzero()[0]
            _, _, over, _, info = env.step(legal[int(pick() * len(legal))])
            if over:
                info = env.reset()[1]
        return 5_000

    aim = "aim: at least 80,000" if not options else "a bot's turns are not counted as steps"
    return processor_rate(f"Gymnasium {name}, one environment", work, note=aim)


def others() -> Iterator[Figure]:
    """What else there is, in the same run."""
    cart = gymnasium.make("CartPole-v1")
    cart.reset(seed=1)

    def balance() -> int:
        for step in range(5_000):
            if cart.step(step & 1)[2]:
                cart.reset()
        return 5_000

    yield processor_rate("Gymnasium CartPole-v1, one environment", balance, note="a peer")
    if find_spec("pygame") is not None:  # PettingZoo's classics cannot be loaded without
        yield connect_four()
    if find_spec("pyspiel") is None:
        return
    import pyspiel

    for name in ("connect_four", "chess"):
        game, pick = pyspiel.load_game(name), Random(1)

        def play(game: Any = game, pick: Random = pick) -> int:
            state, steps = game.new_initial_state(), 0
            while steps < 5_000:
                state.apply_action(pick.choice(state.legal_actions()))
                steps += 1
                if state.is_terminal():
                    state = game.new_initial_state()
            return steps

        yield processor_rate(f"OpenSpiel {name}", play, note="a peer")


def connect_four() -> Figure:
    """The quickest of PettingZoo's classic games."""
    from pettingzoo.classic import connect_four_v3

    four = connect_four_v3.env()

    def drop() -> int:
        rng, steps = np.random.default_rng(1), 0
        while steps < 1_000:
            four.reset(seed=steps)
            for _ in four.agent_iter():
                seen, _, over, cut, _ = four.last()
                four.step(None if over or cut else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
                steps += 1
        return steps

    return processor_rate("PettingZoo connect_four", drop, note="a peer")
