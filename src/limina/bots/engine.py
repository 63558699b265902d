"""The engine side of the engine protocol (docs/engine-protocol.md): any bot of limina as a program."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from limina.bots.ask import DEFAULT_TURN_SECONDS, choose_raw
from limina.bots.base import Budget
from limina.bots.engine_client import GRACE_SECONDS, PROTOCOL_VERSION
from limina.bots.registry import bot
from limina.core.game import Game
from limina.core.record import Record, parse_json
from limina.core.validation import quote_truncated
from limina.errors import InvalidInputError, LiminaError

_MAX_TURN_SECONDS = 1e6
"""Longer time limits are shortened to this, about eleven days."""


class Engine:
    """One conversation over the engine protocol. A wrong line gets an `error`, and the conversation goes on."""

    def __init__(self, game: Game, name: str, write_line: Callable[[str], None], *, threads: int = 1) -> None:
        self._game = game
        self._name = name
        self._write_line = write_line
        self._threads = threads
        self._bot = bot(game, name, threads=threads, allow_external=True)
        self._record: Record | None = None

    def run(self, lines: Iterable[str]) -> None:
        """Answer the lines one by one, until `quit` or the end."""
        try:
            for line in lines:
                command, _, rest = line.strip().partition(" ")
                if command == "quit":
                    return
                try:
                    self._handle(command, rest.strip())
                except LiminaError as error:
                    self._write_line(f"error {error}")
        finally:
            self._bot.close()

    def _handle(self, command: str, rest: str) -> None:
        match command:
            case "" | "legal":
                pass  # the bots of limina know the rules
            case "limina":
                if rest != PROTOCOL_VERSION:
                    raise InvalidInputError(
                        f"this program speaks version {PROTOCOL_VERSION}, not {quote_truncated(rest)}"
                    )
                self._write_line(f"name limina {self._name}")
                self._write_line("ready")
            case "new":
                self._start_game(rest)
            case "position":
                record = Record.from_json(parse_json(rest))
                if record.game.name != self._game.name:
                    raise InvalidInputError(f"this program plays {self._game.title}, not {record.game.title}")
                self._record = record
            case "go":
                self._choose_turn(rest)
            case _:
                # A later version of the protocol may have more commands. Hosts ignore lines that begin with `info`.
                self._write_line(f"info {quote_truncated(command)} is not a command: see docs/engine-protocol.md")

    def _start_game(self, rest: str) -> None:
        name, _, seed_text = rest.partition(" ")
        if name != self._game.name:
            raise InvalidInputError(f"this program plays {self._game.title} only")
        seed = _whole_number(seed_text)
        if seed is None:
            raise InvalidInputError("say `new`, the game and a whole number as its seed")
        self._bot.close()
        self._bot = bot(self._game, self._name, seed=seed % 2**32, threads=self._threads, allow_external=True)
        self._record = None
        self._write_line("ready")

    def _choose_turn(self, rest: str) -> None:
        if self._record is None:
            raise InvalidInputError("say `position` and a record before `go`")
        player_text, _, milliseconds_text = rest.partition(" ")
        player, milliseconds = _whole_number(player_text), _whole_number(milliseconds_text)
        end = self._record.position
        if player is None or player not in end.to_move:
            movers = ", ".join(map(str, end.to_move)) or "no player"
            raise InvalidInputError(f"player {quote_truncated(player_text)} is not to move: it is the turn of {movers}")
        seconds = min(milliseconds / 1000, _MAX_TURN_SECONDS) if milliseconds else DEFAULT_TURN_SECONDS
        # The host checks the turn, and its time limit ends before this one.
        choice = choose_raw(self._bot, self._record, player, Budget(seconds=seconds, grace=2 * GRACE_SECONDS))
        self._write_line(f"turn {' '.join(str(choice.turn).split())}")


def _whole_number(text: str) -> int | None:
    """Parse a whole number of at most 30 digits; None for anything else."""
    return int(text) if text.isdecimal() and len(text) <= 30 else None
