"""Run all tests that use PostgreSQL several times in a row, with the browser tests beside them.

`make test-postgres REPEAT=20`. It fails if a collected test does not pass in one of the runs, if fewer than MIN_TESTS
are collected, or if the browser tests fail. The output of every run is in build/test-postgres.
"""

from __future__ import annotations

import argparse
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from xml.etree import ElementTree

OUTPUT_FOLDER = Path("build") / "test-postgres"
MIN_TESTS = 73
"""The number of tests when this check was added. Fewer mean that some are no longer collected."""
PYTEST = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider")
PYTEST_SELECTION = ("-m", "postgres", "--ignore=tests/rl_libraries", "tests")


class BrowserTests:
    """Runs the browser tests in a thread, again and again until they are stopped."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self._stopped = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._repeat)
        self._thread.start()

    def stop(self) -> None:
        """Interrupt the current run and wait for its end."""
        self._stopped.set()
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
        self._thread.join()

    def _repeat(self) -> None:
        while not self._stopped.is_set():
            log = OUTPUT_FOLDER / f"browser-{self.passed + self.failed + 1}.log"
            with log.open("wb") as output:
                self._process = subprocess.Popen(
                    [*PYTEST, "-n", "1", "tests/e2e"], stdout=output, stderr=subprocess.STDOUT
                )
                status = self._process.wait()
            if self._stopped.is_set():
                return
            self.passed += status == 0
            self.failed += status != 0
            if status:
                print(f"limina: the browser tests failed ({log})", flush=True)


def count_collected() -> int:
    """Return the number of tests that use PostgreSQL."""
    result = subprocess.run([*PYTEST, "--collect-only", *PYTEST_SELECTION], capture_output=True, text=True)
    match = re.search(r"^(\d+)(?:/\d+)? tests collected", result.stdout, re.MULTILINE)
    if result.returncode or match is None:
        sys.exit(f"limina: the tests cannot be collected:\n{result.stdout}{result.stderr}")
    return int(match[1])


def run_once(run_index: int, jobs: int) -> int:
    """Run the tests in this many processes; return the number that passed."""
    log, report = OUTPUT_FOLDER / f"run-{run_index}.log", OUTPUT_FOLDER / f"run-{run_index}.xml"
    with log.open("wb") as output:
        command = [*PYTEST, "-n", str(jobs), f"--junit-xml={report}", *PYTEST_SELECTION]
        subprocess.run(command, stdout=output, stderr=subprocess.STDOUT)
    if not report.exists():
        return 0
    suite = ElementTree.parse(report).getroot()[0]
    return int(suite.attrib["tests"]) - sum(int(suite.attrib[kind]) for kind in ("failures", "errors", "skipped"))


def main() -> int:
    """Run everything; return 1 if a test failed."""
    parser = argparse.ArgumentParser(prog="make test-postgres", description=__doc__)
    parser.add_argument("repeat", type=int)
    parser.add_argument("jobs", type=int)
    arguments = parser.parse_args()
    shutil.rmtree(OUTPUT_FOLDER, ignore_errors=True)
    OUTPUT_FOLDER.mkdir(parents=True)
    collected = count_collected()
    if collected < MIN_TESTS:
        sys.exit(f"limina: only {collected} tests use PostgreSQL: there should be at least {MIN_TESTS}")
    failed = 0
    browser = BrowserTests()
    try:
        for run_index in range(1, arguments.repeat + 1):
            started_at = time.monotonic()
            passed = run_once(run_index, arguments.jobs)
            failed += passed != collected
            log = "" if passed == collected else f" ({OUTPUT_FOLDER / f'run-{run_index}.log'})"
            seconds = f"{time.monotonic() - started_at:.0f} s"
            print(f"limina: run {run_index}: {collected} collected, {passed} passed in {seconds}{log}", flush=True)
    finally:
        browser.stop()
    print(f"limina: {arguments.repeat - failed} of {arguments.repeat} runs passed every test")
    print(f"limina: the browser tests passed {browser.passed} times and failed {browser.failed} times")
    return 1 if failed or browser.failed else 0


if __name__ == "__main__":
    sys.exit(main())
