"""Records that strangers send are read, and turns in them thought about, in processes of their own, which can be ended:
a thread cannot.

A few processes answer one question after the other, so that most need not wait for one to start. One that takes longer
than allowed, or that nobody waits for any more, is killed, and the next question starts another.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import Process
from collections.abc import Sequence
from contextlib import suppress
from typing import Literal, get_args

from limina.analysis.memory import OUT_OF_MEMORY
from limina.server.analysis.patience import step_back
from limina.server.errors import ErrorCode, RefusedError
from limina.server.jobs import CURRENT_CLIENT, Job, LaneSize, LocalJobs

Question = Literal["replay", "view", "game", "worth", "table", "advice", "print", "picture"]
LANE = LaneSize(
    at_once=2,
    at_once_of_one=1,  # whatever one client sends, others find a place
    waiting=64,
    waiting_of_one=32,  # a page with many examples asks for all of them at once
    sentence="many records are being read just now: please try again in a moment",
)
SECONDS = 10.0
"""What reading one may take: many times what the longest takes that is let in."""
_BYTES_A_MILLISECOND = 100
_THINKING_MILLISECONDS = {"worth": 1000.0, "advice": 500.0}
"""What a question costs beside the reading. These have a lane of their own: whoever looks at records waits for none."""
_EXIT_SECONDS = 5.0
"""Time in which a process that has closed its output must have ended."""
_READER = (sys.executable, "-m", "limina.analysis.reader")
_CODES: tuple[str, ...] = get_args(ErrorCode)


class RecordReaders:
    """The processes that read, as many as are read at once, started when they are first needed."""

    def __init__(
        self,
        jobs: LocalJobs | None = None,
        reader: Sequence[str] = _READER,
        seconds: float = SECONDS,
        what: str = "record",
    ) -> None:
        self._what = what
        """What is read or made, in a word, for its sentences."""
        self._jobs = jobs or LocalJobs({"record": LANE, "thought": LANE})
        self._reader = reader
        self._seconds = seconds
        self._idle: list[Process] = []
        self._asked: set[asyncio.Task[bytes]] = set()

    async def ask(self, question: Question, body: bytes) -> bytes:
        """What the reader says of the bytes that somebody sent, as JSON; RefusedError with its reason otherwise."""
        cost = 1 + len(body) / _BYTES_A_MILLISECOND + _THINKING_MILLISECONDS.get(question, 0.0)
        kind = "thought" if question in _THINKING_MILLISECONDS else "record"
        job = Job(kind, question, CURRENT_CLIENT.get(), cost)
        task = self._jobs.submit(job, lambda: self._answer(question, body))
        self._asked.add(task)
        task.add_done_callback(self._asked.discard)
        return await task

    async def stop(self) -> None:
        """Read no more."""
        for task in self._asked:
            task.cancel()
        await asyncio.gather(*self._asked, return_exceptions=True)
        while self._idle:
            await _end(self._idle.pop())

    async def _answer(self, question: Question, body: bytes) -> bytes:
        process: Process | None = None
        sound = False
        try:
            async with asyncio.timeout(self._seconds):
                process = await self._take()
                word, said = await _exchange(process, question, body)
            sound = True
        except TimeoutError:
            raise RefusedError(
                "too_large", f"this {self._what} takes longer than {self._seconds:g} s: please try a smaller one"
            ) from None
        except (OSError, EOFError, ValueError):  # it died, or says what nobody understands
            if process is not None and await _died_of_memory(process):
                sentence = f"this {self._what} takes more memory than one may use: please try a smaller one"
                raise RefusedError("too_large", sentence) from None
            raise RefusedError(
                "unavailable", f"there is no answer about this {self._what}: please try again", retry=5
            ) from None
        finally:
            if process is not None:
                if sound:
                    self._idle.append(process)
                else:
                    await asyncio.shield(_end(process))
        if word == "found":
            return said
        raise RefusedError(_code(word), said.decode(errors="replace"))

    async def _take(self) -> Process:
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
        process = await asyncio.create_subprocess_exec(
            *self._reader,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        step_back(process.pid)
        return process


async def _exchange(process: Process, question: str, body: bytes) -> tuple[str, bytes]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{question} {len(body)}\n".encode())
    process.stdin.write(body)
    await process.stdin.drain()
    word, size = (await process.stdout.readline()).decode().split()
    return word, await process.stdout.readexactly(int(size))


async def _died_of_memory(process: Process) -> bool:
    assert process.stdout is not None
    # Without a kill before: Popen.kill may take the return code from asyncio.
    with suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), _EXIT_SECONDS if process.stdout.at_eof() else 0)
    return process.returncode in OUT_OF_MEMORY


async def _end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()


def _code(word: str) -> ErrorCode:
    return word if word in _CODES else "unavailable"  # type: ignore[return-value]  # looked up in the line itself
