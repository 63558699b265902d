"""Run the kernel's tests on a kernel with sanitizers, one ISA after the other (`make sanitize`).

LIMINA_KERNEL is the folder with the kernels. LIMINA_KERNEL_ISA selects one ISA instead of all.

Not a test file, because pytest would import the ordinary kernel first.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

if len(sys.argv) == 1:
    from limina._kernel import _isa

    selected = os.environ.get(_isa.ISA_VARIABLE)
    for name in [selected] if selected else _isa.supported_isas():
        games = 12 if name == _isa.supported_isas()[-1] else 4
        command = [sys.executable, "-m", "kernel.sanitized", name, str(games)]
        process = subprocess.run(command, env=os.environ | {_isa.ISA_VARIABLE: name})
        if process.returncode != 0:
            sys.exit(process.returncode)
    sys.exit()

ISA, GAMES = sys.argv[1], int(sys.argv[2])
(library,) = Path(os.environ["LIMINA_KERNEL"]).glob(f"{ISA}.*.so")
spec = importlib.util.spec_from_file_location("limina._kernel", library)
assert spec is not None
assert spec.loader is not None
kernel = importlib.util.module_from_spec(spec)
kernel.__path__ = [str(folder / "_kernel") for folder in map(Path, importlib.import_module("limina").__path__)]
sys.modules["limina._kernel"] = kernel
spec.loader.exec_module(kernel)
for part in ("limes", "limit"):
    sys.modules[f"limina._kernel.{part}"] = getattr(kernel, part)

import pickle  # noqa: E402
from random import Random  # noqa: E402

import limina.rl  # noqa: E402
from cli import test_bad_input  # noqa: E402  # after the kernel is replaced
from kernel.differential import compare_limes, compare_limit  # noqa: E402
from limina.core.record import Record  # noqa: E402
from limina.limes import Position as Limes  # noqa: E402
from limina.limit import Position as Limit  # noqa: E402
from rl import test_batch  # noqa: E402
from support.games.records import ring_record  # noqa: E402


def main() -> None:
    """Run differential games, fuzzed turns and records, playouts, searches and batches."""
    assert sys.modules["limina._kernel"].__file__ == str(library)
    for seed in range(GAMES):
        compare_limes(seed)
        compare_limit(seed)
    test_bad_input.test_random_numbers_as_turns_never_crash_the_kernel()
    test_bad_input.test_mangled_records_never_crash(0)
    for seed in range(4):
        rng = Random(seed)
        Limes.start(diagonal=seed % 2 == 0, ferryman=seed > 1).playouts(300, seed)
        for size in (4, 8, 16):
            for players in (2, 3):
                Limit.random(size, players, rng=rng).playouts(100, seed)
    long_game = Record.from_json(ring_record(500)).position
    assert pickle.loads(pickle.dumps(long_game)) == long_game
    long_game.playouts(20, 1)
    options = kernel.limit.SearchOptions()
    options.root_solver_max_positions = 100
    for players in (2, 3):
        for miss_rate in (0.0, 0.4):
            options.miss_rate = miss_rate
            position = Limit.random(5, players, rng=Random(players))
            while position.outcome is None:
                kernel.limit.uct(position.board, 0.5, 40)
                result = kernel.limit.search(position.board, kernel.limit.Weights.naive(), options, 400, threads=2)
                position = position.play(position.decode_turn(result.candidates[0].turn))
    for name, options in (("limes", {"players": 2}), ("limit", {"size": 5, "players": 3}), ("limit", {"size": 16})):
        test_batch.play_illegal_actions(name, options)
        test_batch.observations_of_random_play(limina.rl.batch(name, 300, threads=3, **options), 40)
    test_batch.test_afterstates_are_legal_turns_with_their_gains()
    test_batch.test_afterstates_are_sorted_best_first()
    print(f"{ISA}: no invalid memory access, no undefined behavior")


main()
