"""Choose and load the build of the kernel for an ISA (instruction set): the fastest that this machine can run.

The environment variable LIMINA_KERNEL_ISA selects another one, for tests and measurements. All give the same results.
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
    """Return the ISAs that this machine can run, the fastest last."""
    return _cpu.supported_isas()


def selected_isa() -> str:
    """Return the ISA of the environment variable, or else the fastest.

    Raises LiminaError if this machine cannot run the ISA of the variable.
    """
    isa = os.environ.get(ISA_VARIABLE, "")
    supported = supported_isas()
    if not isa:
        return supported[-1]
    if isa not in REQUIREMENTS:
        raise LiminaError(f"{ISA_VARIABLE} is {isa!r}: set it to one of {', '.join(supported)}, or unset it")
    if isa not in supported:
        raise LiminaError(
            f"{ISA_VARIABLE} is {isa!r}, which needs {REQUIREMENTS[isa]}: set it to one of {', '.join(supported)}"
        )
    return isa


def load_kernel(module_name: str) -> None:
    """Replace the package of this name in `sys.modules` by the kernel of the selected ISA."""
    isa = selected_isa()
    package = sys.modules[module_name]
    isa_spec = importlib.util.find_spec(f"{module_name}.{isa}")
    if isa_spec is None or isa_spec.origin is None:
        raise LiminaError(f"the kernel for the ISA {isa} is missing: install limina again")
    # The module has the same name for every ISA, so processes with different ISAs can exchange pickles.
    spec = importlib.util.spec_from_file_location(module_name, isa_spec.origin)
    assert spec is not None
    assert spec.loader is not None
    kernel = importlib.util.module_from_spec(spec)
    kernel.__path__ = package.__path__  # so that `limina._kernel._isa` stays importable
    sys.modules[module_name] = kernel
    spec.loader.exec_module(kernel)
