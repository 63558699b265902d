"""Run all tests that use PostgreSQL several times in a row, with the browser tests beside them.

`make test-postgres REPEAT=20`. It fails if a run does not pass every test that was collected, if there are fewer tests
than there should be, or if the browser tests fail. The output of every run is in build/test-postgres.
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
"""So many there were when 47 of them were skipped without a word. Fewer means that some are not found any more."""
PYTEST = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider")
PYTEST_SELECTION = ("-m", "postgres", "--ignore=tests/rl_libraries", "tests")


class BrowserTests:
    """The browser tests, run again and again by a thread until they are stopped."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self._stopped = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._repeat)
        self._thread.start()

    def stop(self) -> None:
        """Interrupt the run that is going on, and wait for its end."""
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
                print(f"limina: the browser tests failed beside them ({log})", flush=True)


def count_collected() -> int:
    """Return how many tests use PostgreSQL."""
    done = subprocess.run([*PYTEST, "--collect-only", *PYTEST_SELECTION], capture_output=True, text=True)
    found = re.search(r"^(\d+)(?:/\d+)? tests collected", done.stdout, re.MULTILINE)
    if done.returncode or found is None:
        sys.exit(f"limina: the tests cannot be collected:\n{done.stdout}{done.stderr}")
    return int(found[1])


def run_once(number: int, jobs: int) -> int:
    """Run the tests; return how many passed."""
    log, report = OUTPUT_FOLDER / f"run-{number}.log", OUTPUT_FOLDER / f"run-{number}.xml"
    with log.open("wb") as output:
        command = [*PYTEST, "-n", str(jobs), f"--junit-xml={report}", *PYTEST_SELECTION]
        subprocess.run(command, stdout=output, stderr=subprocess.STDOUT)
    if not report.exists():
        return 0
    suite = ElementTree.parse(report).getroot()[0]
    return int(suite.attrib["tests"]) - sum(int(suite.attrib[kind]) for kind in ("failures", "errors", "skipped"))


def main() -> int:
    """Run them all; return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="make test-postgres", description=__doc__)
    parser.add_argument("repeat", type=int)
    parser.add_argument("jobs", type=int)
    chosen = parser.parse_args()
    shutil.rmtree(OUTPUT_FOLDER, ignore_errors=True)
    OUTPUT_FOLDER.mkdir(parents=True)
    collected = count_collected()
    if collected < MIN_TESTS:
        sys.exit(f"limina: only {collected} tests use PostgreSQL: there should be at least {MIN_TESTS}")
    failed = 0
    browser = BrowserTests()
    try:
        for number in range(1, chosen.repeat + 1):
            begun = time.monotonic()
            passed = run_once(number, chosen.jobs)
            failed += passed != collected
            log = "" if passed == collected else f" ({OUTPUT_FOLDER / f'run-{number}.log'})"
            seconds = f"{time.monotonic() - begun:.0f} s"
            print(f"limina: run {number}: {collected} collected, {passed} passed in {seconds}{log}", flush=True)
    finally:
        browser.stop()
    print(f"limina: {chosen.repeat - failed} of {chosen.repeat} runs passed every test")
    print(f"limina: the browser tests beside them passed {browser.passed} times and failed {browser.failed} times")
    return 1 if failed or browser.failed else 0


if __name__ == "__main__":
    sys.exit(main())
