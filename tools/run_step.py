"""Run a command and print its output only if it fails.

run_step.py NAME COMMAND...                a step of `make test`: one line if it passes, its whole output if it fails
run_step.py --quiet SENTENCE COMMAND...    nothing if it passes, the sentence with the first error if it fails
"""

import pathlib
import re
import subprocess
import sys
import time


def run_step(name: str, command: list[str]) -> int:
    """Run a step of `make test` with its output in build/steps/NAME.log; return its exit status."""
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


def run_quietly(sentence: str, command: list[str]) -> int:
    """Run a command of which only a failure is of interest; return its exit status."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if result.returncode:
        log = pathlib.Path("build") / "failed.log"
        log.parent.mkdir(exist_ok=True)
        log.write_text(result.stdout)
        errors = [line.strip() for line in result.stdout.splitlines() if re.search(r"(?i)\berror\b[: ]", line)]
        first = f": {errors[0][:160]}" if errors else ""
        print(f"limina: {sentence}{first} (the whole output is in {log})", file=sys.stderr)
    return result.returncode


if __name__ == "__main__":
    if sys.argv[1] == "--quiet":
        sys.exit(run_quietly(sys.argv[2], sys.argv[3:]))
    sys.exit(run_step(sys.argv[1], sys.argv[2:]))
