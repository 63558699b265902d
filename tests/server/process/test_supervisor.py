"""The supervisor restarts processes that die, and no process outlives its supervisor or server."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs, urlsplit

import pytest

from support.database.databases import disconnect_clients
from support.network import http
from support.processes.cli_commands import Command, limina
from support.processes.process_tree import (
    HELPER_COMMANDS,
    busy_helpers,
    command_line,
    descendants,
    sleeping_bot_arguments,
)
from support.server.server_process import free_port, is_listening, running_server
from support.waiting import wait_until


def with_constants(**values: float) -> list[str]:
    """Return the command `limina` with other values of the supervisor's constants."""
    changes = "; ".join(f"supervisor.{name} = {value}" for name, value in values.items())
    start = "from limina.cli import main; sys.exit(main(sys.argv[1:]))"
    return [sys.executable, "-c", f"import sys; from limina.server import supervisor; {changes}; {start}"]


@dataclass(frozen=True)
class Supervised:
    """A server of two processes."""

    address: str
    process: Command | subprocess.Popen[str]
    log: Path

    def children(self) -> list[int]:
        """Return the ids of the server processes."""
        return [pid for pid, line in descendants(self.process.pid).items() if "spawn_main" in line]

    def logged(self, pattern: str) -> list[str]:
        return re.findall(pattern, self.log.read_text())


@contextmanager
def supervised(log: Path, *arguments: str, program: Sequence[str] = ()) -> Iterator[Supervised]:
    words = ["serve", "--port", str(free_port()), "--processes", "2", *arguments]
    with log.open("w") as errors:
        process: Command | subprocess.Popen[str]
        if program:
            process = subprocess.Popen([*program, *words], stdout=subprocess.PIPE, stderr=errors, text=True)
        else:
            process = Command(words, stdout=subprocess.PIPE, stderr=errors.fileno())
        assert process.stdout is not None
        try:
            yield Supervised(process.stdout.readline().split()[-1].rstrip("/"), process, log)
        finally:
            process.terminate()
            process.wait(timeout=30)
            process.stdout.close()  # do not wait for its end: a process that is left over would keep it open


@pytest.fixture
def shared(url: object, postgres: str) -> tuple[str, str]:
    """Return the options for an empty PostgreSQL database."""
    return "--database", postgres


@pytest.fixture
def linked_database(url: object, postgres: str) -> Iterator[tuple[Path, str]]:
    """Return a link to the socket folder of PostgreSQL and an address that uses it. Without the link it is down."""
    folder = parse_qs(urlsplit(postgres).query)["host"][0]
    with TemporaryDirectory() as short:  # the path of a socket must be short
        link = Path(short) / "pg"
        link.symlink_to(folder)
        yield link, postgres.replace(folder, str(link))


def status(address: str, path: str = "/health/ready") -> int:
    return int(http.get(address + path).status_code)


# --- processes that die


def test_failed_restarts_are_retried_until_the_database_is_back(
    linked_database: tuple[Path, str], postgres: str, tmp_path: Path
) -> None:
    link, address = linked_database
    folder = link.readlink()
    with supervised(tmp_path / "log", "--database", address) as server:
        dead, other = server.children()
        link.unlink()
        disconnect_clients(postgres)
        os.kill(dead, signal.SIGKILL)
        failed = r"process \d of 2 cannot start \((.+)\), restarting in [\d.]+ s"
        wait_until(lambda: len(server.logged(failed)) >= 2)
        assert server.process.poll() is None
        assert status(server.address, "/health/live") == 200
        assert other in server.children()
        assert all(cause.startswith("the database cannot be used: ") for cause in server.logged(failed))
        link.symlink_to(folder)
        wait_until(lambda: len(server.children()) == 2 and status(server.address) == 200)


ENDED = r"process \d of 2 ended \(killed by signal 9\), restarting in ([\d.]+) s"


def kill_first(server: Supervised, other: int) -> None:
    """Kill the process that is not `other`, and wait for its replacement."""
    before = len(server.logged(ENDED))
    (first,) = {*server.children()} - {other}
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: len(server.logged(ENDED)) > before)
    wait_until(lambda: len(server.children()) == 2)


def test_the_restart_delay_of_a_process_doubles(shared: tuple[str, str], tmp_path: Path) -> None:
    with supervised(tmp_path / "log", *shared) as server:
        other = max(server.children())
        for _ in range(3):
            kill_first(server, other)
        assert server.logged(ENDED) == ["0.1", "0.2", "0.4"]


def test_the_restart_delay_is_reset_after_a_stable_time(shared: tuple[str, str], tmp_path: Path) -> None:
    with supervised(tmp_path / "log", *shared, program=with_constants(STABLE_SECONDS=0)) as server:
        other = max(server.children())
        for count in range(1, 3):
            kill_first(server, other)
            wait_until(lambda count=count: len(server.logged(r"process \d of 2 is ready again")) == count)  # type: ignore[misc]
        assert server.logged(ENDED) == ["0.1", "0.1"]


def test_sigterm_during_a_restart_delay_stops_the_supervisor_at_once(shared: tuple[str, str], tmp_path: Path) -> None:
    with supervised(
        tmp_path / "log", *shared, program=with_constants(MIN_RESTART_DELAY_SECONDS=600, MAX_RESTART_DELAY_SECONDS=600)
    ) as server:
        os.kill(min(server.children()), signal.SIGKILL)
        wait_until(lambda: server.logged(r"restarting in 600 s"))
        server.process.terminate()
        assert server.process.wait(timeout=60) == 0


def test_a_failing_first_start_stops_the_server_with_an_error(linked_database: tuple[Path, str]) -> None:
    link, address = linked_database
    link.unlink()
    done = limina("serve", "--port", "0", "--processes", "2", "--database", address)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
    assert done.stderr.startswith("limina: the database cannot be used: ")


# --- a supervisor or a server that is killed


def wait_until_gone(processes: dict[int, str]) -> None:
    """Wait until these processes have ended. Compare their commands, because ids are reused."""

    def left() -> list[int]:
        return [process_id for process_id, line in processes.items() if line and command_line(process_id) == line]

    try:
        wait_until(lambda: not left())
    finally:
        for process_id in left():
            os.kill(process_id, signal.SIGKILL)


def test_all_processes_end_when_the_supervisor_is_killed(shared: tuple[str, str], tmp_path: Path) -> None:
    with supervised(tmp_path / "log", *shared, *sleeping_bot_arguments(tmp_path)) as server:
        with busy_helpers(server.process.pid, server.address) as processes:
            server.process.kill()
            server.process.wait()
        wait_until_gone(processes)
        port = server.address.rpartition(":")[2]
        assert not is_listening(int(port))
        with running_server(tmp_path / "unused", *shared, "--shared", port=port) as again:
            assert again.port == port


def test_subprocesses_end_when_their_server_is_killed(tmp_path: Path) -> None:
    with running_server(tmp_path / "data", *sleeping_bot_arguments(tmp_path)) as server:
        with busy_helpers(server.process.pid, server.address) as processes:
            server.kill()
        wait_until_gone(processes)


ENDLESS = {
    "record": "import limina.isolated.record as program; program.HANDLERS['replay'] = endless",
    "render": "import limina.isolated.render as program; program.HANDLERS['replay'] = endless",
    "review": "import limina.isolated.review as program; program.try_deck = endless",
}


@pytest.mark.parametrize("program", ENDLESS)
def test_a_busy_subprocess_ends_when_its_output_is_closed(program: str) -> None:
    # The program closes its standard error when the endless handler runs.
    endless = "import os, time\ndef endless(*_, **__):\n    os.close(2)\n    time.sleep(600)\n"
    helper = subprocess.Popen(
        [sys.executable, "-c", f"{endless}{ENDLESS[program]}; program.main()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert helper.stdin is not None
    assert helper.stdout is not None
    assert helper.stderr is not None
    with helper.stdin, helper.stderr:
        helper.stdin.write(b'{"trial": {}}' if program == "review" else b"replay 2\n{}")
        helper.stdin.close()
        assert helper.stderr.read() == b""
        helper.stdout.close()
        try:
            helper.wait(timeout=60)
        finally:
            helper.kill()


def test_all_isolated_programs_are_tested() -> None:
    """Programs that are added to `limina.isolated` need the test above too."""
    programs = {path.stem for path in Path(sys.modules["limina"].__file__ or "").parent.glob("isolated/*.py")
                if "__main__" in path.read_text()}  # fmt: skip
    assert programs == set(ENDLESS)
    assert {f"limina.isolated.{program}" for program in programs} < set(HELPER_COMMANDS)
