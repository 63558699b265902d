"""What a wheel loses to a build for this one machine: the same work by both kernels, taken in turn, in processor time.

The kernel of a wheel and the one in `.venv` are built alike, for every kind of processor. Beside it the kernel is built
once more with `-march=native` and nothing else changed, into build/native (minutes).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.measure import REPEATS, Figure, Skipped, of

NATIVE = Path("build") / "native"
# Each says how many things it did in a second of the processor's time.
WORKS = {
    "Limes playouts": (
        "from limina.limes import Position; start = Position.start()",
        "start.playouts(200_000, 1)",
        200_000,
    ),
    "Limit playouts": (
        "from random import Random; from limina.limit import Position; start = Position.random(8, 2, rng=Random(1))",
        "start.playouts(100_000, 1)",
        100_000,
    ),
    "Limes, games of skilled": (
        "import limina; from limina.arena import Plan, run; plan = Plan(limina.game('limes'), ('skilled',), games=20)",
        "run(plan)",
        20,
    ),
    "Limit, games of skilled": (
        "import limina; from limina.arena import Plan, run; plan = Plan(limina.game('limit'), ('skilled', 'skilled'), "
        "games=4, options={'size': 6})",
        "run(plan)",
        4,
    ),
}
# Without what `.venv` has installed, where limina itself is: then it is found in the folder named.
PROGRAM = """
import sys, time
if {folder!r}: sys.path.insert(0, {folder!r})
{setup}
import limina
assert not {folder!r} or limina.__file__.startswith({folder!r}), limina.__file__
begun = time.process_time()
{work}
print({count} / (time.process_time() - begun))
"""


def figures() -> Iterator[Figure]:
    """Every figure, as soon as it is there."""
    build()
    for name, (setup, work, count) in WORKS.items():
        found: dict[str, list[float]] = {"": [], str(NATIVE.resolve()): []}
        for _ in range(REPEATS):
            for folder, rates in found.items():
                program = PROGRAM.format(folder=folder, setup=setup, work=work, count=count)
                command = [sys.executable, *(["-S"] if folder else []), "-c", program]
                rates.append(float(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
        portable, native = found.values()
        yield of(f"{name}, built for every processor", portable, "/s, one core")
        yield of(f"{name}, built for this one", native, "/s, one core")
        ratios = [one / other for one, other in zip(native, portable, strict=True)]
        yield of(f"{name}, this one to every", ratios, "times", "aim: at most 1.3")


def build() -> None:
    """The kernel for this machine alone, unless it is there and no older than what it is built of."""
    sources = [*Path("kernel").rglob("*.[ch]pp"), Path("CMakeLists.txt")]
    built = NATIVE / ".built"
    if built.exists() and built.stat().st_mtime > max(each.stat().st_mtime for each in sources):
        return
    shutil.rmtree(NATIVE, ignore_errors=True)
    options = ["-C", "cmake.define.LIMINA_NATIVE=ON", "-C", f"build-dir={NATIVE}-build"]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--no-build-isolation", "--no-deps", "--target", str(NATIVE), *options, "."]
    if subprocess.run(command).returncode != 0:
        raise Skipped("the kernel could not be built for this machine")
    built.touch()
