"""Run a step of `make test`; print one line if it passes and its whole output if it fails: run_step.py NAME COMMAND...

The output is also in build/steps/NAME.log.
"""

import pathlib
import subprocess
import sys
import time


def main() -> int:
    """Run the command; return its exit status."""
    name, command = sys.argv[1], sys.argv[2:]
    log = pathlib.Path("build") / "steps" / f"{name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with log.open("wb") as output:
        status = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT).returncode
    duration = f"{time.monotonic() - started:.0f} s"
    lines = log.read_text("utf-8", errors="replace").splitlines()
    # Lines that are shown even if the step passes: messages of limina and the tests that pytest skipped.
    shown = lines if status else [line for line in lines if line.startswith(("limina: ", "SKIPPED "))]
    print(*shown, f"limina: {name} failed ({log})" if status else f"limina: {name} passed in {duration}", sep="\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
