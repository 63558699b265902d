"""A bot that is a program of its own: it reads lines and writes lines, as docs/engine.md says."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from limina.bots.ask import TURN_SECONDS, BotFailure, checked
from limina.check import short
from limina.protocols import Game, LiminaError, UnreadableError
from limina.record import Record

VERSION = "1"
START_SECONDS = 30.0
LONGEST_LINE = 1 << 16
GRACE_SECONDS = 0.5
"""What a turn may take on top of what it is allowed: for the way through the pipes, not for thinking."""


_LIVE: set[subprocess.Popen[bytes]] = set()


def end_all() -> None:
    """End every program that this process has started; for whoever is about to end it in a hurry."""
    for process in tuple(_LIVE):
        _kill(process)


def words_of(command: str) -> list[str]:
    """A command line in its words, if there is such a program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UnreadableError(f"the command {short(command)} cannot be read: {str(error).lower()}") from None
    if not words:
        raise UnreadableError("a program needs a command: write program:COMMAND")
    if shutil.which(words[0]) is None:
        raise UnreadableError(f"there is no program {short(words[0])} that can be run")
    return words


class Program:
    """Speaks with one process, started when it is first needed and ended with the bot.

    Whatever goes wrong ends the process and raises BotFailure; it stays ended, so a program that failed once cannot
    come back into the same game. `patience` says how far behind us it stands in the queue for the processor.
    """

    def __init__(
        self, game: Game, command: str, *, seed: int = 0, start_seconds: float = START_SECONDS, patience: int = 0
    ) -> None:
        self._command = words_of(command)
        self._game = game
        self._seed = seed
        self._start_seconds = start_seconds
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._wants_legal = False
        self._failed: BotFailure | None = None
        self.name = self._command[0]
        """What the program calls itself, once it has said so."""

    def choose(self, position: object, player: int) -> object:
        """A program has to be shown the record: ask for its turn with `limina.bots.ask`."""
        raise LiminaError("a program needs the whole record: ask it with limina.bots.ask(bot, record, player)")

    def choose_in(self, record: Record, player: int, seconds: float = TURN_SECONDS) -> object:
        """The program's turn where the record ends."""
        if self._failed is not None:
            raise self._failed
        try:
            if self._process is None:
                self._start()
            data = record.to_json()
            with self._limited(seconds + GRACE_SECONDS, f"it did not answer within {seconds:g} s"):
                self._tell(f"position {json.dumps(data)}")
                if self._wants_legal:
                    turns = [str(turn) for turn in record.end.legal_turns(player)]
                    self._tell(f"legal {json.dumps(turns)}")
                self._tell(f"go {player} {round(seconds * 1000)}")
                said = self._answer("turn")
            return checked(said, record, player)
        except BotFailure as failure:
            self._failed = failure
            self.close()
            raise

    def close(self) -> None:
        """End the process; nothing is left running."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(OSError, ValueError):
                assert process.stdin is not None
                process.stdin.write(b"quit\n")
                process.stdin.flush()
            assert self._errors is not None
            _end(process, self._errors, 0.0 if self._failed else 1.0)

    def kill(self) -> None:
        """End the process from another thread: whoever waits for its answer then hears that it has ended."""
        process = self._process
        if process is not None:
            _kill(process)

    # --- the conversation

    def _start(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # open as long as the process
        try:
            process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,  # whatever it starts ends with it, and the keyboard's Ctrl-C is ours alone
            )
        except OSError as error:
            raise BotFailure(f"it cannot be started: {(error.strerror or 'unknown reason').lower()}") from None
        self._process = process
        _LIVE.add(process)
        if self._patience and hasattr(os, "setpriority"):
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, self._patience)
        weakref.finalize(self, _end, process, self._errors, 0.0)
        with self._limited(self._start_seconds, f"it was not ready within {self._start_seconds:g} s"):
            self._tell(f"limina {VERSION}")
            self._answer("ready")
            self._tell(f"new {self._game.name} {self._seed}")
            self._answer("ready")

    def _tell(self, line: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it has gone: reading its answer finds out why
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()

    def _answer(self, word: str) -> str:
        """What follows the word that is waited for."""
        assert self._process is not None
        assert self._process.stdout is not None
        while True:
            line = self._process.stdout.readline(LONGEST_LINE)
            if not line:
                raise BotFailure(self._why_it_ended())
            if not line.endswith(b"\n") and len(line) == LONGEST_LINE:
                raise BotFailure("it wrote a line without an end", "nonsense")
            text = line.decode("utf-8", "backslashreplace").strip()
            first, _, rest = text.partition(" ")
            if first == word:
                return rest.strip()
            if first == "error":
                raise BotFailure(f"it gave up: {_plain(rest) or 'it did not say why'}")
            if first == "name" and rest:
                self.name = _plain(rest)
            elif text == "wants legal":
                self._wants_legal = True
            elif first not in ("", "info"):
                raise BotFailure(f"it answered {short(text)} where `{word}` was awaited", "nonsense")

    def _why_it_ended(self) -> str:
        assert self._process is not None
        assert self._errors is not None
        try:
            status = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - 2000))
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        how = f"killed by signal {-status}" if status < 0 else f"exit status {status}"
        return f"it ended ({how}){f': {_plain(lines[-1])}' if lines else ''}"

    @contextmanager
    def _limited(self, seconds: float, verdict: str) -> Iterator[None]:
        """End the process when the time is up: whoever waits on its pipes then wakes."""
        assert self._process is not None
        late = threading.Event()

        def stop(process: subprocess.Popen[bytes]) -> None:
            late.set()
            _kill(process)

        timer = threading.Timer(seconds, stop, [self._process])
        timer.daemon = True
        timer.start()
        try:
            yield
        except BotFailure:
            if late.is_set():
                raise BotFailure(verdict, "late") from None
            raise
        finally:
            timer.cancel()


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _end(process: subprocess.Popen[bytes], errors: IO[bytes], patience: float) -> None:
    """End a process, with or without a moment to go by itself."""
    pipes: list[IO[Any] | None] = [process.stdin, process.stdout, errors]
    for pipe in pipes:
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        _kill(process)
        process.wait()
    _LIVE.discard(process)


def _plain(text: str) -> str:
    kept = "".join(letter if letter.isprintable() else "?" for letter in text.strip())
    return kept if len(kept) <= 120 else kept[:119] + "…"
