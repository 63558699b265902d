"""A bot that is a program of its own: it reads lines and writes lines, as docs/engine-protocol.md says."""

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
from limina.bots.pipe_process import Process
from limina.core.files import system_error_text
from limina.core.game import Game
from limina.core.record import Record
from limina.core.validation import printable, quote_truncated
from limina.errors import InvalidInputError

VERSION = "1"
START_SECONDS = 30.0
LONGEST_LINE = 1 << 16
GRACE_SECONDS = 0.5
"""What a turn may take on top of what it is allowed: for the way through the pipes, not for thinking."""


def words_of(command: str) -> list[str]:
    """A command line in its words, if there is such a program."""
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


class Program:
    """Speaks with one process, started when it is first needed and ended with the bot.

    Whatever goes wrong ends the process and raises BotError; it stays ended, so a program that failed once cannot
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
        self._process: Process | None = None
        self._deadline = 0.0
        self._wants_legal = False
        self._failed: BotError | None = None
        self.name = self._command[0]
        """What the program calls itself, once it has said so."""

    def choose(self, record: Record, player: int, budget: Budget) -> Choice:
        """The program's turn where the record ends, as it is written."""
        if self._failed is not None:
            raise self._failed
        seconds = DEFAULT_TURN_SECONDS if budget.seconds is None else budget.seconds
        data = record.to_json()
        try:
            if self._process is None:
                self._start()
            with self._limited(seconds + GRACE_SECONDS, f"it did not answer within {seconds:g} s"):
                self._tell(f"position {json.dumps(data)}")
                if self._wants_legal:
                    turns = [str(turn) for turn in record.end.legal_turns(player)]
                    self._tell(f"legal {json.dumps(turns)}")
                self._tell(f"go {player} {round(seconds * 1000)}")
                return Choice(self._answer("turn"))
        except BotError as failure:
            self._failed = failure
            self.close()
            raise

    def close(self) -> None:
        """End the process; nothing is left running."""
        process, self._process = self._process, None
        if process is None:
            return
        if self._failed is None:
            with contextlib.suppress(TimeoutError):
                process.tell(b"quit\n", monotonic())
            process.leave(1.0)
        process.end()

    def kill(self) -> None:
        """End the process from another thread: whoever waits for its answer then hears that it has ended."""
        process = self._process
        if process is not None:
            process.kill()

    # --- the conversation

    def _start(self) -> None:
        try:
            self._process = Process(self._command, self._patience)
        except OSError as error:
            raise BotError(f"it cannot be started: {system_error_text(error, 'unknown reason')}") from None
        with self._limited(self._start_seconds, f"it was not ready within {self._start_seconds:g} s"):
            self._tell(f"limina {VERSION}")
            self._answer("ready")
            self._tell(f"new {self._game.name} {self._seed}")
            self._answer("ready")

    def _tell(self, line: str) -> None:
        assert self._process is not None
        self._process.tell(line.encode() + b"\n", self._deadline)

    def _answer(self, word: str) -> str:
        """What follows the word that is waited for."""
        assert self._process is not None
        while True:
            line = self._process.hear(LONGEST_LINE, self._deadline)
            if not line:
                raise BotError(self._why_it_ended())
            if not line.endswith(b"\n") and len(line) == LONGEST_LINE:
                raise BotError("it wrote a line without an end", "illegal_turn")
            text = line.decode("utf-8", "backslashreplace").strip()
            first, _, rest = text.partition(" ")
            if first == word:
                return rest.strip()
            if first == "error":
                raise BotError(f"it gave up: {printable(rest, 120) or 'it did not say why'}")
            if first == "name" and rest:
                self.name = printable(rest, 120)
            elif text == "wants legal":
                self._wants_legal = True
            elif first not in ("", "info"):
                raise BotError(f"it answered {quote_truncated(text)} where `{word}` was awaited", "illegal_turn")

    def _why_it_ended(self) -> str:
        assert self._process is not None
        status = self._process.ended(1.0)
        if status is None:
            return "it closed its output"
        lines = self._process.last_words().strip().splitlines()
        how = f"killed by signal {-status}" if status < 0 else f"exit status {status}"
        return f"it ended ({how}){f': {printable(lines[-1].strip(), 120)}' if lines else ''}"

    @contextmanager
    def _limited(self, seconds: float, verdict: str) -> Iterator[None]:
        """What is said inside has to be said within some seconds."""
        self._deadline = monotonic() + seconds
        try:
            yield
        except TimeoutError:
            raise BotError(verdict, "timeout") from None
