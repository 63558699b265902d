"""A process that we speak with line by line, which may do anything: it never makes us wait longer than we want to, and
ends with us, however we end.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import weakref
from collections.abc import Sequence
from time import monotonic
from typing import IO

_PIECE = 1 << 16
_LAST_WORDS = 2000
_LOOK_UP = 0.25
"""Seconds after which a wait for a process looks up whether somebody has ended it meanwhile."""
_WATCH = 'read group && { read more; kill -s KILL -- "-$group"; }'
"""Is told a group of processes and reads on until its pipe ends. That is when we have ended, by `kill -9` too."""


class Process:
    """A running program; OSError if it cannot be started. Deadlines are times of `time.monotonic`."""

    def __init__(self, command: Sequence[str], patience: int = 0) -> None:
        watcher = _watcher()
        try:
            self._process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # whatever it starts ends with it, and the keyboard's Ctrl-C is ours alone
            )
        except OSError:
            _dismiss(watcher)
            raise
        _show(watcher, self._process.pid)
        self.end = weakref.finalize(self, _end, self._process, watcher)
        """End the process and whatever it has started; takes no time, and can be called again."""
        self._input, self._output, self._errors = map(
            _number, (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._heard, self._last_words = bytearray(), bytearray()
        self._open = {self._output, self._errors}
        self._killed = False
        if patience:
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, self._process.pid, patience)

    def tell(self, line: bytes, deadline: float) -> None:
        """Write a line; TimeoutError if it is not read in time. One that has ended is told nothing."""
        rest = memoryview(line)
        while rest:
            try:
                rest = rest[os.write(self._input, rest) :]
            except BlockingIOError:
                if self._killed:
                    return
                self._wait(deadline, _PIECE, writing=True)
            except OSError:  # it has gone: whoever listens to it finds out
                return

    def hear(self, most: int, deadline: float) -> bytes:
        """The next line, or what there is of it when it is longer or the output ends; TimeoutError if none comes."""
        while True:
            if monotonic() > deadline:
                raise TimeoutError
            end = self._heard.find(b"\n") + 1
            if end or len(self._heard) >= most or self._output not in self._open or self._killed:
                line = bytes(self._heard[: min(end or most, most)])
                del self._heard[: len(line)]
                return line
            self._wait(deadline, most)

    def ended(self, seconds: float) -> int | None:
        """The exit status, if the process ends within so many seconds; the signal with a minus."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def last_words(self) -> str:
        """What it wrote last to its standard error."""
        self._drain(self._errors)
        return self._last_words.decode("utf-8", "replace")

    def leave(self, seconds: float) -> None:
        """Let it go by itself if it does so within some seconds; then end it."""
        _close(self._process.stdin)
        self.ended(seconds)
        self.end()

    def kill(self) -> None:
        """End the process from another thread: whoever waits for its answer then hears that it has ended."""
        self._killed = True
        if self._process.returncode is None:
            _kill(self._process.pid)

    def _wait(self, deadline: float, most: int, *, writing: bool = False) -> None:
        """Wait until there is something to be done, and take what has come."""
        left = deadline - monotonic()
        if left <= 0:
            raise TimeoutError
        poll = select.poll()
        for pipe in self._open:
            if pipe != self._output or len(self._heard) < most:
                poll.register(pipe, select.POLLIN)
        if writing:
            poll.register(self._input, select.POLLOUT)
        ready = poll.poll(1000 * min(left, _LOOK_UP))
        for pipe, _ in ready:
            if pipe != self._input:
                self._drain(pipe)
        if not ready and self._process.poll() is not None:
            # It has ended and said all it had to say, though something that it started may hold the pipe.
            self._open.discard(self._output)
            self._killed = True

    def _drain(self, pipe: int) -> None:
        """Take what is in a pipe, without waiting for more."""
        if pipe not in self._open:
            return
        try:
            piece = os.read(pipe, _PIECE)
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        if not piece:
            self._open.discard(pipe)
        elif pipe == self._output:
            self._heard += piece
        else:
            self._last_words += piece
            del self._last_words[:-_LAST_WORDS]


def _number(pipe: IO[bytes] | None) -> int:
    assert pipe is not None
    os.set_blocking(pipe.fileno(), False)
    return pipe.fileno()


def _watcher() -> subprocess.Popen[bytes] | None:
    """A small process that ends another when we have ended without doing so; in a session of its own, to outlive us."""
    nowhere = subprocess.DEVNULL
    command = ["/bin/sh", "-c", _WATCH]
    try:
        return subprocess.Popen(
            command, bufsize=0, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, start_new_session=True
        )
    except OSError:
        return None  # a system without: there, whoever ends us has to take care


def _show(watcher: subprocess.Popen[bytes] | None, group: int) -> None:
    if watcher is not None and watcher.stdin is not None:
        with contextlib.suppress(OSError):
            watcher.stdin.write(b"%d\n" % group)


def _dismiss(watcher: subprocess.Popen[bytes] | None) -> None:
    if watcher is not None:
        watcher.kill()  # before its pipe ends: it is not to do what is done
        watcher.wait()
        _close(watcher.stdin)


def _kill(group: int) -> None:
    with contextlib.suppress(OSError):
        os.killpg(group, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes], watcher: subprocess.Popen[bytes] | None) -> None:
    _kill(process.pid)  # all of its group: also what it left behind when it ended by itself
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        _close(pipe)
    _dismiss(watcher)


def _close(pipe: IO[bytes] | None) -> None:
    if pipe is not None:
        with contextlib.suppress(OSError):
            pipe.close()
