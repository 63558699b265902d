"""Environments for reinforcement learning: steps per second of processor time, of limina and of other libraries."""

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
from bench.figure import REPEATS, Figure, figure

UNIT = "steps/s, one core"


def figures() -> Iterator[Figure]:
    """Yield the figures as they are measured."""
    yield from batches()
    yield two_thread_gain(32_768)
    yield two_thread_gain(4_096)
    yield single_environment("limina/Limes-v0")
    yield single_environment("limina/Limit-v0", opponent="random")
    yield from peer_environments()


def processor_rate(name: str, work: Callable[[], int], unit: str = UNIT, note: str = "") -> Figure:
    """Measure operations per second of processor time, which other programs disturb less."""
    rates = []
    for _ in range(REPEATS):
        started = time.process_time()
        count = work()
        rates.append(count / (time.process_time() - started))
    return figure(name, rates, unit, note)


def random_stepper(batch: limina.rl.Batch, steps: int) -> Callable[[], int]:
    """Return a function that steps a batch with random legal actions, which the batch samples."""
    batch.reset(1)

    def work() -> int:
        for _ in range(steps):
            batch.step(batch.sample())
        return steps * batch.n

    return work


def batches() -> Iterator[Figure]:
    """Measure batches on one core, with the sampling of actions."""
    kinds: list[tuple[str, int, dict[str, Any], str]] = [
        ("limes", 4096, {}, "planes, mask, reward of each turn; aim: at least 4,000,000"),
        ("limes", 4096, {"packed": True, "reward": "final"}, "packed, reward at the end; aim: at least 8,000,000"),
        ("limit", 256, {"layouts": 8}, "size 8, 8 layouts; aim: at least 2,000,000"),
        ("limit", 256, {"layouts": 8, "packed": True}, "size 8, 8 layouts, packed"),
        ("limit", 256, {"layouts": 512}, "size 8, 512 layouts"),
        ("limit", 256, {}, "size 8, a layout dealt for each game"),
    ]
    for name, n, options, note in kinds:
        batch = limina.rl.batch(name, n, **options)
        steps = 600_000 // n
        details, _, aim = note.partition("; ")
        yield processor_rate(f"{name}, batch of {n:,}: {details}", random_stepper(batch, steps), note=aim)
    batch = limina.rl.batch("limes", 256)
    batch.reset(1)

    def search() -> int:
        for _ in range(16):  # a whole game
            batch.play(batch.afterstates(32).turns[:, 0])
        return 16 * batch.n

    yield processor_rate("limes, the 32 best turns of a position with features", search, "positions/s, one core")


def two_thread_gain(n: int) -> Figure:
    """Compare the wall-clock time of two threads with the processor time of one, in rounds of alternating bursts.

    With processor time for one thread, other programs cannot make the gain look higher. A round counts only if other
    programs used at most 3% of both cores while the two threads ran. Two threads of numpy that share nothing show how
    much two threads can gain on this machine.
    """
    max_rounds, counted_rounds, bursts, max_foreign_share = 60, 12, 5, 0.03
    steps = (1 << 18) // n
    one, two = (random_stepper(limina.rl.batch("limes", n, threads=count), steps) for count in (1, 2))
    arrays = [np.random.default_rng(seed).random(20_000) for seed in (1, 2)]

    def sines(array: NDArray[np.float64]) -> None:
        for _ in range(200):
            np.sin(array, out=array)

    gains, sine_gains = [], []
    with ThreadPoolExecutor(1) as pool:

        def both() -> None:
            other = pool.submit(sines, arrays[1])
            sines(arrays[0])
            other.result()

        works: tuple[Callable[[], object], ...] = (one, two, partial(sines, arrays[0]), both)
        clocks = (time.process_time, time.perf_counter) * 2
        for _ in range(max_rounds):
            seconds, foreign = np.zeros(4), 0.0
            for _ in range(bursts):
                for i, (work, clock) in enumerate(zip(works, clocks, strict=True)):
                    before, started = foreign_cpu_seconds(), clock()
                    work()
                    seconds[i] += clock() - started
                    foreign += foreign_cpu_seconds() - before if clock is time.perf_counter else 0.0
            if foreign <= max_foreign_share * 2 * (seconds[1] + seconds[3]):
                gains.append(seconds[0] / seconds[1])
                sine_gains.append(2 * seconds[2] / seconds[3])
            if len(gains) == counted_rounds:
                break
    yardstick = f"numpy gained {np.median(sine_gains):.2f}" if gains else "other programs were running all the time"
    note = f"{len(gains)} rounds without other programs; {yardstick}; aim: at least 1.7"
    return figure(f"limes, batch of {n:,}, two threads to one", gains or [math.nan], "times", note)


def foreign_cpu_seconds() -> float:
    """Return the processor time of all other processes in seconds, or 0 where there is no /proc."""
    try:
        user, nice, system, _, _, *interrupts = map(int, Path("/proc/stat").read_text().split(None, 9)[1:9])
    except OSError:
        return 0.0
    busy = user + nice + system + sum(interrupts)  # with the time stolen by the hypervisor
    return busy / os.sysconf("SC_CLK_TCK") - time.process_time()


def single_environment(name: str, **options: Any) -> Figure:
    """Measure one environment through Gymnasium, with random actions from its masks."""
    env = gymnasium.make(f"limina.rl:{name}", **options)
    info = env.reset(seed=1)[1]
    random = Random(1).random

    def work() -> int:
        nonlocal info
        for _ in range(5_000):
            legal = info["action_mask"].nonzero()[0]
            _, _, is_over, _, info = env.step(legal[int(random() * len(legal))])
            if is_over:
                info = env.reset()[1]
        return 5_000

    aim = "aim: at least 80,000" if not options else "a bot's turns are not counted as steps"
    return processor_rate(f"Gymnasium {name}, one environment", work, note=aim)


def peer_environments() -> Iterator[Figure]:
    """Measure environments of other libraries, if they are installed."""
    cart = gymnasium.make("CartPole-v1")
    cart.reset(seed=1)

    def balance() -> int:
        for step in range(5_000):
            if cart.step(step & 1)[2]:
                cart.reset()
        return 5_000

    yield processor_rate("Gymnasium CartPole-v1, one environment", balance, note="for comparison")
    if find_spec("pygame") is not None:  # PettingZoo's classic games need it
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

        yield processor_rate(f"OpenSpiel {name}", play, note="for comparison")


def connect_four() -> Figure:
    """Measure the fastest of PettingZoo's classic games."""
    from pettingzoo.classic import connect_four_v3

    four = connect_four_v3.env()

    def drop() -> int:
        rng, steps = np.random.default_rng(1), 0
        while steps < 1_000:
            four.reset(seed=steps)
            for _ in four.agent_iter():
                observation, _, is_over, is_truncated, _ = four.last()
                four.step(
                    None if is_over or is_truncated else int(rng.choice(np.flatnonzero(observation["action_mask"])))
                )
                steps += 1
        return steps

    return processor_rate("PettingZoo connect_four", drop, note="for comparison")
