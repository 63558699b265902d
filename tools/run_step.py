"""Runs one of the steps of `make test`; says in a line that it passed, or all that it said: step.py NAME COMMAND...

What it said is in build/steps/NAME.log afterwards.
"""

import pathlib
import subprocess
import sys
import time


def main() -> int:
    """Run the command; its exit status."""
    name, command = sys.argv[1], sys.argv[2:]
    log = pathlib.Path("build") / "steps" / f"{name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with log.open("wb") as output:
        status = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT).returncode
    duration = f"{time.monotonic() - started:.0f} s"
    lines = log.read_text("utf-8", errors="replace").splitlines()
    # What it wants to be known in any case begins with our name; pytest says what it skipped, and why.
    shown = lines if status else [line for line in lines if line.startswith(("limina: ", "SKIPPED "))]
    print(*shown, f"limina: {name} failed ({log})" if status else f"limina: {name} passed in {duration}", sep="\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
