"""A subprocess that is spoken with line by line, with deadlines. It ends with this process, even after `kill -9`."""

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

_READ_BYTES = 1 << 16
"""Maximum number of bytes per read."""
_STDERR_TAIL_BYTES = 2000
"""Bytes that are stored from the end of standard error."""
_POLL_EXIT_SECONDS = 0.25
"""Interval at which a wait for output checks whether the process has ended."""
_WATCH_COMMAND = 'read group && { read more; kill -s KILL -- "-$group"; }'
"""Shell command of the watcher: read a process group, wait for the end of the pipe, then kill the group. The pipe ends
when this process ends, even if it is killed."""


class PipeProcess:
    """A running program with pipes. Deadlines are times of `time.monotonic`.

    Raises OSError if the program cannot be started.
    """

    def __init__(self, command: Sequence[str], nice_level: int = 0) -> None:
        watcher = _start_watcher()
        try:
            self._process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # its children end with it, and Ctrl-C reaches this process only
            )
        except OSError:
            _stop_watcher(watcher)
            raise
        _send_group_to_watcher(watcher, self._process.pid)
        self.end = weakref.finalize(self, _end, self._process, watcher)
        """Kill the process and its children. Returns at once; may be called again."""
        self._stdin, self._stdout, self._stderr = map(
            _nonblocking, (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._output, self._error_output = bytearray(), bytearray()
        self._open_pipes = {self._stdout, self._stderr}
        self._ended = False
        if nice_level:
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, self._process.pid, nice_level)

    def write(self, data: bytes, deadline: float) -> None:
        """Write to standard input. Raises TimeoutError if it is not read in time; returns if the process has ended."""
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._stdin, rest) :]
            except BlockingIOError:
                if self._ended:
                    return
                self._wait_for_pipes(deadline, _READ_BYTES, writing=True)
            except OSError:  # the process has ended: the next `read_line` says so
                return

    def read_line(self, max_bytes: int, deadline: float) -> bytes:
        """Return the next line of the output, or its part if the line is longer or the output ends.

        Raises TimeoutError if none comes in time.
        """
        while True:
            if monotonic() > deadline:
                raise TimeoutError
            end = self._output.find(b"\n") + 1
            if end or len(self._output) >= max_bytes or self._stdout not in self._open_pipes or self._ended:
                line = bytes(self._output[: min(end or max_bytes, max_bytes)])
                del self._output[: len(line)]
                return line
            self._wait_for_pipes(deadline, max_bytes)

    def wait(self, seconds: float) -> int | None:
        """Return the exit status (a signal as a negative number), or None if the process runs on after the time."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def stderr_tail(self) -> str:
        """Return the end of what the process has written to standard error."""
        self._drain(self._stderr)
        return self._error_output.decode("utf-8", "replace")

    def close(self, seconds: float) -> None:
        """Close standard input, give the process some seconds to end, then kill it."""
        _close(self._process.stdin)
        self.wait(seconds)
        self.end()

    def kill(self) -> None:
        """Kill the process from another thread. A running `read_line` then returns an empty line."""
        self._ended = True
        if self._process.returncode is None:
            _kill_group(self._process.pid)

    def _wait_for_pipes(self, deadline: float, max_bytes: int, *, writing: bool = False) -> None:
        """Wait until a pipe is ready, and read what has come."""
        remaining = deadline - monotonic()
        if remaining <= 0:
            raise TimeoutError
        poll = select.poll()
        for pipe in self._open_pipes:
            if pipe != self._stdout or len(self._output) < max_bytes:
                poll.register(pipe, select.POLLIN)
        if writing:
            poll.register(self._stdin, select.POLLOUT)
        ready = poll.poll(1000 * min(remaining, _POLL_EXIT_SECONDS))
        for pipe, _ in ready:
            if pipe != self._stdin:
                self._drain(pipe)
        if not ready and self._process.poll() is not None:
            # The process has ended and its output is read. A child of it may still hold the pipe open.
            self._open_pipes.discard(self._stdout)
            self._ended = True

    def _drain(self, pipe: int) -> None:
        """Read what is in a pipe without waiting."""
        if pipe not in self._open_pipes:
            return
        try:
            data = os.read(pipe, _READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._open_pipes.discard(pipe)
        elif pipe == self._stdout:
            self._output += data
        else:
            self._error_output += data
            del self._error_output[:-_STDERR_TAIL_BYTES]


def _nonblocking(pipe: IO[bytes] | None) -> int:
    """Make a pipe nonblocking and return its file descriptor."""
    assert pipe is not None
    os.set_blocking(pipe.fileno(), False)
    return pipe.fileno()


def _start_watcher() -> subprocess.Popen[bytes] | None:
    """Start the watcher in a session of its own, so that it outlives this process. None where there is no shell."""
    devnull = subprocess.DEVNULL
    command = ["/bin/sh", "-c", _WATCH_COMMAND]
    try:
        return subprocess.Popen(
            command, bufsize=0, stdin=subprocess.PIPE, stdout=devnull, stderr=devnull, start_new_session=True
        )
    except OSError:
        return None


def _send_group_to_watcher(watcher: subprocess.Popen[bytes] | None, group: int) -> None:
    if watcher is not None and watcher.stdin is not None:
        with contextlib.suppress(OSError):
            watcher.stdin.write(b"%d\n" % group)


def _stop_watcher(watcher: subprocess.Popen[bytes] | None) -> None:
    if watcher is not None:
        watcher.kill()  # before its pipe ends, which would make it kill the group
        watcher.wait()
        _close(watcher.stdin)


def _kill_group(group: int) -> None:
    with contextlib.suppress(OSError):
        os.killpg(group, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes], watcher: subprocess.Popen[bytes] | None) -> None:
    _kill_group(process.pid)  # also children that a process left behind when it ended
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        _close(pipe)
    _stop_watcher(watcher)


def _close(pipe: IO[bytes] | None) -> None:
    if pipe is not None:
        with contextlib.suppress(OSError):
            pipe.close()
