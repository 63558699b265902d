"""Process data from clients in subprocesses, which can be killed at any time, unlike threads.

A few processes of a program answer one question after the other, so that few requests wait for a process to start. A
process that takes too long, or whose request is cancelled, is killed. The next question starts another one.
"""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from dataclasses import dataclass
from typing import get_args

from limina.isolated.process import OUT_OF_MEMORY
from limina.isolated.protocol import Question, Status, format_header, parse_header
from limina.server.errors import RefusedError
from limina.server.jobs import CURRENT_CLIENT, LocalJobs, PoolLimits

_BYTES_PER_MILLISECOND = 100
_EVALUATION_MILLISECONDS: dict[Question, float] = {"evaluate": 1000.0, "companion_hint": 500.0}
"""Expected time of questions that evaluate a position. They have a job pool of their own, so replays do not wait."""
_EXIT_TIMEOUT_SECONDS = 5.0
"""Time in which a process that has closed its output must end."""
_NICE_LEVEL = 10
_STATUSES: dict[str, Status] = {status: status for status in get_args(Status)}


@dataclass(frozen=True, slots=True)
class IsolatedProgram:
    """A program that answers questions (see `limina.isolated.protocol`), and the limits of its work."""

    command: tuple[str, ...]
    subject: str
    """Noun for error messages: "this record takes too long"."""
    timeout_seconds: float
    """Time to answer one question, including the start of the process."""
    limits: PoolLimits
    """Limits of each of its two job pools: for questions that evaluate a position, and for all others."""


RECORD_PROGRAM = IsolatedProgram(
    (sys.executable, "-m", "limina.isolated.record"),
    "record",
    timeout_seconds=10.0,  # many times what the longest accepted record takes
    limits=PoolLimits(
        max_running=2,
        max_running_per_client=1,  # leave a process to other clients
        max_waiting=64,
        max_waiting_per_client=32,  # a page with many examples requests all of them at once
        message="many records are being read just now: please try again in a moment",
    ),
)


class SubprocessPool:
    """A pool of processes of one program, one for each running question, started when first needed."""

    def __init__(self, program: IsolatedProgram = RECORD_PROGRAM) -> None:
        self._program = program
        self._jobs = LocalJobs({"reading": program.limits, "evaluation": program.limits})
        self._idle: list[Process] = []
        self._tasks: set[asyncio.Task[bytes]] = set()

    async def ask(self, question: Question, body: bytes) -> bytes:
        """Return the program's answer to a body that a client sent; raise RefusedError if there is none."""
        evaluation = _EVALUATION_MILLISECONDS.get(question, 0.0)
        cost = 1 + len(body) / _BYTES_PER_MILLISECOND + evaluation
        pool = "evaluation" if evaluation else "reading"
        task = self._jobs.submit(pool, CURRENT_CLIENT.get(), cost, lambda: self._answer(question, body))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await task

    async def stop(self) -> None:
        """Cancel all questions and end all processes."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while self._idle:
            await _kill(self._idle.pop())

    async def _answer(self, question: Question, body: bytes) -> bytes:
        subject, timeout = self._program.subject, self._program.timeout_seconds
        process: Process | None = None
        answered = False
        try:
            async with asyncio.timeout(timeout):
                process = await self._take_process()
                status, answer = await _exchange(process, question, body)
            answered = True
        except TimeoutError:
            reason = f"this {subject} takes longer than {timeout:g} s: please try a smaller one"
            raise RefusedError("too_large", reason) from None
        except (OSError, EOFError, ValueError, KeyError):  # the process died or violated the protocol
            if process is not None and await _ran_out_of_memory(process):
                reason = f"this {subject} takes more memory than allowed: please try a smaller one"
                raise RefusedError("too_large", reason) from None
            reason = f"this {subject} could not be processed: please try again"
            raise RefusedError("unavailable", reason, retry_after=5) from None
        finally:
            if process is not None:
                if answered:
                    self._idle.append(process)
                else:
                    await asyncio.shield(_kill(process))
        if status == "ok":
            return answer
        raise RefusedError(status, answer.decode(errors="replace"))

    async def _take_process(self) -> Process:
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
        process = await asyncio.create_subprocess_exec(*self._program.command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        lower_priority(process.pid)
        return process


def lower_priority(process_id: int) -> None:
    """Run a subprocess at a lower priority (nice) so that the server is scheduled first."""
    with suppress(OSError, AttributeError):  # it has ended, or the system has no priorities
        os.setpriority(os.PRIO_PROCESS, process_id, _NICE_LEVEL)


async def _exchange(process: Process, question: Question, body: bytes) -> tuple[Status, bytes]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(format_header(question, len(body)))
    process.stdin.write(body)
    await process.stdin.drain()
    status, size = parse_header(await process.stdout.readline())
    return _STATUSES[status], await process.stdout.readexactly(size)


async def _ran_out_of_memory(process: Process) -> bool:
    assert process.stdout is not None
    # Do not kill first: Popen.kill may consume the return code before asyncio does.
    with suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), _EXIT_TIMEOUT_SECONDS if process.stdout.at_eof() else 0)
    return process.returncode in OUT_OF_MEMORY


async def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()
