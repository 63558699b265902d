"""Choose the ISA (instruction set) of the kernel, which is built once for each: the fastest that runs is loaded.

The variable LIMINA_KERNEL_ISA forces another one, for tests and measurements. The results are the same on each.
"""

from __future__ import annotations

import importlib.util
import os
import sys

from limina._kernel import _cpu
from limina.errors import LiminaError

ISA_VARIABLE = "LIMINA_KERNEL_ISA"
REQUIREMENTS = {
    "portable": "any processor",
    "avx2": "a processor with AVX2 and BMI2",
    "avx512": "a processor with AVX-512 (with VL, BW, DQ and VPOPCNTDQ)",
    "neon": "a 64-bit ARM processor",
}


def supported_isas() -> tuple[str, ...]:
    """The ISAs that this machine can run, the fastest last."""
    return _cpu.supported_isas()


def selected_isa() -> str:
    """The ISA that is loaded: the one that the variable names, or the fastest."""
    isa = os.environ.get(ISA_VARIABLE, "")
    supported = supported_isas()
    if not isa:
        return supported[-1]
    if isa not in REQUIREMENTS:
        raise LiminaError(f"{ISA_VARIABLE} is {isa!r}: it must be one of {', '.join(supported)}, or empty")
    if isa not in supported:
        raise LiminaError(
            f"{ISA_VARIABLE} is {isa!r}, which needs {REQUIREMENTS[isa]}: here it can be {', '.join(supported)}"
        )
    return isa


def load_kernel(module_name: str) -> None:
    """Put the kernel of the selected ISA in the place of the package of this name."""
    isa = selected_isa()
    package = sys.modules[module_name]
    built = importlib.util.find_spec(f"{module_name}.{isa}")
    if built is None or built.origin is None:
        raise LiminaError(f"the kernel was not built for the ISA {isa}: install limina again")
    # Whatever the ISA, the kernel is the same module: what one process pickles, another one reads.
    spec = importlib.util.spec_from_file_location(module_name, built.origin)
    assert spec is not None
    assert spec.loader is not None
    kernel = importlib.util.module_from_spec(spec)
    kernel.__path__ = package.__path__  # so that `_isa` is found beside it
    sys.modules[module_name] = kernel
    spec.loader.exec_module(kernel)
