"""The paths of the kernel: the same rules, built once for each kind of processor. The quickest that runs is loaded.

The variable LIMINA_KERNEL_PATH forces another one, for tests and measurements: what comes out is the same on each.
"""

from __future__ import annotations

import importlib.util
import os
import sys

from limina.errors import LiminaError
from limina.paths import machine

VARIABLE = "LIMINA_KERNEL_PATH"
NEEDS = {
    "plain": "any processor",
    "avx2": "a processor with AVX2 and BMI2",
    "avx512": "a processor with AVX-512 (with VL, BW, DQ and VPOPCNTDQ)",
    "neon": "a 64-bit ARM processor",
}


def runnable() -> tuple[str, ...]:
    """The paths that this machine can run, the quickest last."""
    return machine.runnable()


def chosen() -> str:
    """The path that is loaded: the one that the variable names, or the quickest."""
    name = os.environ.get(VARIABLE, "")
    if not name:
        return runnable()[-1]
    if name not in NEEDS:
        raise LiminaError(f"{VARIABLE} is {name!r}: it must be one of {', '.join(runnable())}, or empty")
    if name not in runnable():
        raise LiminaError(f"{VARIABLE} is {name!r}, which needs {NEEDS[name]}: here it can be {', '.join(runnable())}")
    return name


def load(name: str) -> None:
    """Put the kernel of the chosen path in the place of the module called `name`."""
    path = chosen()
    built = importlib.util.find_spec(f"limina.paths.{path}")
    if built is None or built.origin is None:
        raise LiminaError(f"the kernel was not built for the path {path}: install limina again")
    # Whatever the path, the kernel is the same module: what one process pickles, another one reads.
    spec = importlib.util.spec_from_file_location(name, built.origin)
    assert spec is not None
    assert spec.loader is not None
    kernel = importlib.util.module_from_spec(spec)
    sys.modules[name] = kernel
    spec.loader.exec_module(kernel)
