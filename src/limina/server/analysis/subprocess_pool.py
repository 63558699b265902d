"""Work on data from clients in subprocesses, which can be ended at any time: a thread cannot.

A few processes of a program answer one question after the other, so that few requests wait for one to start. A process
that takes too long or whose request is cancelled is killed, and the next question starts another.
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
_THINKING_MILLISECONDS: dict[Question, float] = {"worth": 1000.0, "advice": 500.0}
"""Expected cost of a question beside reading its body. These have a job pool of their own: no record waits for them."""
_EXIT_SECONDS = 5.0
"""Time in which a process that has closed its output must have ended."""
_NICE_LEVEL = 10
_STATUSES: dict[str, Status] = {status: status for status in get_args(Status)}


@dataclass(frozen=True, slots=True)
class IsolatedProgram:
    """A program that answers questions (see `limina.isolated.protocol`), and the bounds of its work."""

    command: tuple[str, ...]
    subject: str
    """What it works on, for sentences: "this record takes too long"."""
    timeout_seconds: float
    """Time to answer one question, with the start of the process."""
    limits: PoolLimits
    """How many questions are answered at once and wait, for reading and for thinking each."""


RECORD_PROGRAM = IsolatedProgram(
    (sys.executable, "-m", "limina.isolated.record"),
    "record",
    timeout_seconds=10.0,  # many times what the longest record takes that is let in
    limits=PoolLimits(
        max_running=2,
        max_running_per_client=1,  # whatever one client sends, others find a place
        max_waiting=64,
        max_waiting_per_client=32,  # a page with many examples asks for all of them at once
        message="many records are being read just now: please try again in a moment",
    ),
)


class SubprocessPool:
    """Processes of one program, as many as questions are answered at once, started when they are first needed."""

    def __init__(self, program: IsolatedProgram = RECORD_PROGRAM) -> None:
        self._program = program
        self._jobs = LocalJobs({"reading": program.limits, "thinking": program.limits})
        self._idle: list[Process] = []
        self._tasks: set[asyncio.Task[bytes]] = set()

    async def ask(self, question: Question, body: bytes) -> bytes:
        """Return the program's answer to a body that a client sent, or raise RefusedError with its reason."""
        thinking = _THINKING_MILLISECONDS.get(question, 0.0)
        cost = 1 + len(body) / _BYTES_PER_MILLISECOND + thinking
        pool = "thinking" if thinking else "reading"
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
            sentence = f"this {subject} takes longer than {timeout:g} s: please try a smaller one"
            raise RefusedError("too_large", sentence) from None
        except (OSError, EOFError, ValueError, KeyError):  # it died, or its answer is not in the protocol
            if process is not None and await _ran_out_of_memory(process):
                sentence = f"this {subject} takes more memory than one may use: please try a smaller one"
                raise RefusedError("too_large", sentence) from None
            sentence = f"there is no answer about this {subject}: please try again"
            raise RefusedError("unavailable", sentence, retry_after=5) from None
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
    """Let the system schedule the server before this process, from the start of the process on."""
    with suppress(OSError, AttributeError):  # gone already, or not on this system
        os.setpriority(os.PRIO_PROCESS, process_id, _NICE_LEVEL)


async def _exchange(process: Process, question: Question, body: bytes) -> tuple[Status, bytes]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(format_header(question, len(body)))
    process.stdin.write(body)
    await process.stdin.drain()
    word, size = parse_header(await process.stdout.readline())
    return _STATUSES[word], await process.stdout.readexactly(size)


async def _ran_out_of_memory(process: Process) -> bool:
    assert process.stdout is not None
    # Without a kill before: Popen.kill may take the return code from asyncio.
    with suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), _EXIT_SECONDS if process.stdout.at_eof() else 0)
    return process.returncode in OUT_OF_MEMORY


async def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()
