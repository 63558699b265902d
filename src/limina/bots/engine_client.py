"""The host side of the engine protocol (docs/engine-protocol.md): a program as a bot."""

from __future__ import annotations

import contextlib
import json
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from limina.bots.ask import DEFAULT_TURN_SECONDS
from limina.bots.base import BotError, Budget, Choice
from limina.bots.pipe_process import PipeProcess
from limina.core.files import system_error_text
from limina.core.game import Game
from limina.core.record import Record
from limina.core.validation import printable, quote_truncated
from limina.errors import InvalidInputError

PROTOCOL_VERSION = "1"
START_TIMEOUT_SECONDS = 30.0
"""Time in which a program must be ready."""
MAX_LINE_BYTES = 1 << 16
"""Longest line that a program may write."""
GRACE_SECONDS = 0.5
"""Time beyond the time limit of a turn, for the pipes to and from the program. It is not for thinking."""


def split_command(command: str) -> list[str]:
    """Return the words of a command line. Raises InvalidInputError if there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InvalidInputError(
            f"the command {quote_truncated(command)} cannot be read: {str(error).lower()}"
        ) from None
    if not words:
        raise InvalidInputError("a program needs a command: write program:COMMAND")
    if shutil.which(words[0]) is None:
        raise InvalidInputError(f"there is no program {quote_truncated(words[0])} that can be run")
    return words


class EngineClient:
    """A bot that runs a program. The process starts when the first turn is needed, and ends with the bot.

    A failure ends the process and raises BotError. All later turns raise the same error, so that a program that has
    failed cannot return to the game.
    """

    def __init__(
        self,
        game: Game,
        command: str,
        *,
        seed: int = 0,
        start_timeout: float = START_TIMEOUT_SECONDS,
        nice_level: int = 0,
    ) -> None:
        self._command = split_command(command)
        self._game = game
        self._seed = seed
        self._start_timeout = start_timeout
        self._nice_level = nice_level
        self._process: PipeProcess | None = None
        self._deadline = 0.0
        self._wants_legal = False
        self._failure: BotError | None = None
        self.name = self._command[0]
        """Name of the program: that of the command until the program sends its own."""

    def choose(self, record: Record, player: int, budget: Budget) -> Choice:
        """Return the program's turn at the end of the record, as text.

        Raises BotError if the program fails, or does not answer in time.
        """
        if self._failure is not None:
            raise self._failure
        seconds = DEFAULT_TURN_SECONDS if budget.seconds is None else budget.seconds
        data = record.to_json()
        try:
            if self._process is None:
                self._start()
            with self._time_limit(seconds + GRACE_SECONDS, f"it did not answer within {seconds:g} s"):
                self._write_line(f"position {json.dumps(data)}")
                if self._wants_legal:
                    turns = [str(turn) for turn in record.position.legal_turns(player)]
                    self._write_line(f"legal {json.dumps(turns)}")
                self._write_line(f"go {player} {round(seconds * 1000)}")
                return Choice(self._read_answer("turn"))
        except BotError as failure:
            self._failure = failure
            self.close()
            raise

    def close(self) -> None:
        """End the process and its children."""
        process, self._process = self._process, None
        if process is None:
            return
        if self._failure is None:
            with contextlib.suppress(TimeoutError):
                process.write(b"quit\n", monotonic())
            process.close(1.0)
        process.end()

    def kill(self) -> None:
        """Kill the process. May be called from another thread; a running `choose` then raises BotError."""
        process = self._process
        if process is not None:
            process.kill()

    # --- the conversation

    def _start(self) -> None:
        try:
            self._process = PipeProcess(self._command, self._nice_level)
        except OSError as error:
            raise BotError(f"it cannot be started: {system_error_text(error, 'unknown reason')}") from None
        with self._time_limit(self._start_timeout, f"it was not ready within {self._start_timeout:g} s"):
            self._write_line(f"limina {PROTOCOL_VERSION}")
            self._read_answer("ready")
            self._write_line(f"new {self._game.name} {self._seed}")
            self._read_answer("ready")

    def _write_line(self, line: str) -> None:
        assert self._process is not None
        self._process.write(line.encode() + b"\n", self._deadline)

    def _read_answer(self, command: str) -> str:
        """Read lines until one begins with the command; return the rest of that line."""
        assert self._process is not None
        while True:
            line = self._process.read_line(MAX_LINE_BYTES, self._deadline)
            if not line:
                raise BotError(self._exit_text())
            if not line.endswith(b"\n") and len(line) == MAX_LINE_BYTES:
                raise BotError(f"it wrote a line longer than {MAX_LINE_BYTES // 1024} KiB", "illegal_turn")
            text = line.decode("utf-8", "backslashreplace").strip()
            first, _, rest = text.partition(" ")
            if first == command:
                return rest.strip()
            if first == "error":
                raise BotError(f"it gave up: {printable(rest, 120) or 'it gave no reason'}")
            if first == "name" and rest:
                self.name = printable(rest, 120)
            elif text == "wants legal":
                self._wants_legal = True
            elif first not in ("", "info"):
                raise BotError(f"it answered {quote_truncated(text)} instead of `{command}`", "illegal_turn")

    def _exit_text(self) -> str:
        assert self._process is not None
        status = self._process.wait(1.0)
        if status is None:
            return "it closed its output"
        lines = self._process.stderr_tail().strip().splitlines()
        cause = f"killed by signal {-status}" if status < 0 else f"exit status {status}"
        return f"it ended ({cause}){f': {printable(lines[-1].strip(), 120)}' if lines else ''}"

    @contextmanager
    def _time_limit(self, seconds: float, message: str) -> Iterator[None]:
        """Set the deadline for the reads and writes of the body. Raises BotError when it passes."""
        self._deadline = monotonic() + seconds
        try:
            yield
        except TimeoutError:
            raise BotError(message, "timeout") from None
