"""Compare the kernel of a wheel with a kernel built for this machine, alternately and in processor time.

The kernel in `.venv` is built like that of a wheel, for several ISAs. This part builds the kernel once more with
`-march=native`, into build/native, which takes minutes.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.figure import REPEATS, Figure, PartSkipped, figure

NATIVE_FOLDER = Path("build") / "native"
# By name: the setup, the work, and the number of operations of the work.
WORKLOADS = {
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
# With a folder, it runs with -S, so that limina is imported from the folder and not from `.venv`.
PROGRAM = """
import sys, time
if {folder!r}: sys.path.insert(0, {folder!r})
{setup}
import limina
assert not {folder!r} or limina.__file__.startswith({folder!r}), limina.__file__
started = time.process_time()
{work}
print({count} / (time.process_time() - started))
"""


def figures() -> Iterator[Figure]:
    """Yield the figures as they are measured."""
    build()
    for name, (setup, work, count) in WORKLOADS.items():
        rates_by_folder: dict[str, list[float]] = {"": [], str(NATIVE_FOLDER.resolve()): []}
        for _ in range(REPEATS):
            for folder, rates in rates_by_folder.items():
                program = PROGRAM.format(folder=folder, setup=setup, work=work, count=count)
                command = [sys.executable, *(["-S"] if folder else []), "-c", program]
                rates.append(float(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
        portable, native = rates_by_folder.values()
        yield figure(f"{name}, built for every processor", portable, "/s, one core")
        yield figure(f"{name}, built for this one", native, "/s, one core")
        ratios = [one / other for one, other in zip(native, portable, strict=True)]
        yield figure(f"{name}, this one to every", ratios, "times", "aim: at most 1.3")


def build() -> None:
    """Build the kernel for this machine, unless it is there and newer than its sources."""
    sources = [*Path("kernel").rglob("*.[ch]pp"), Path("CMakeLists.txt")]
    built = NATIVE_FOLDER / ".built"
    if built.exists() and built.stat().st_mtime > max(source.stat().st_mtime for source in sources):
        return
    shutil.rmtree(NATIVE_FOLDER, ignore_errors=True)
    options = ["-C", "cmake.define.LIMINA_NATIVE=ON", "-C", f"build-dir={NATIVE_FOLDER}-build"]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--no-build-isolation", "--no-deps", "--target", str(NATIVE_FOLDER), *options, "."]
    if subprocess.run(command).returncode != 0:
        raise PartSkipped("the kernel could not be built for this machine")
    built.touch()
