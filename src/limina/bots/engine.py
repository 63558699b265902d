"""The other end of the line protocol (docs/engine-protocol.md): lets any of our bots play as a program."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from limina.bots.ask import DEFAULT_TURN_SECONDS, choose_raw
from limina.bots.base import Budget
from limina.bots.engine_client import GRACE_SECONDS, VERSION
from limina.bots.registry import bot
from limina.core.game import Game
from limina.core.record import Record, parse
from limina.core.validation import quote_truncated
from limina.errors import InvalidInputError, LiminaError

_LONGEST = 1e6
"""Seconds for a turn: what is more means as long as it likes."""


class Engine:
    """One conversation. What is wrong with a line is answered with an `error`, and it goes on."""

    def __init__(self, game: Game, name: str, say: Callable[[str], None], *, threads: int = 1) -> None:
        self._game = game
        self._name = name
        self._say = say
        self._threads = threads
        self._bot = bot(game, name, threads=threads, allow_external=True)
        self._record: Record | None = None

    def listen(self, lines: Iterable[str]) -> None:
        """Answer line by line, until `quit` or the end."""
        try:
            for line in lines:
                command, _, rest = line.strip().partition(" ")
                if command == "quit":
                    return
                try:
                    self._obey(command, rest.strip())
                except LiminaError as error:
                    self._say(f"error {error}")
        finally:
            self._bot.close()

    def _obey(self, command: str, rest: str) -> None:
        match command:
            case "" | "legal":
                pass  # our bots know the rules
            case "limina":
                if rest != VERSION:
                    raise InvalidInputError(f"this program speaks version {VERSION}, not {quote_truncated(rest)}")
                self._say(f"name limina {self._name}")
                self._say("ready")
            case "new":
                self._new(rest)
            case "position":
                record = Record.from_json(parse(rest))
                if record.game.name != self._game.name:
                    raise InvalidInputError(f"this program plays {self._game.title}, not {record.game.title}")
                self._record = record
            case "go":
                self._go(rest)
            case _:
                # A later version may have more to say than this one knows, and ignores lines of this kind.
                self._say(f"info {quote_truncated(command)} is not a command: see docs/engine-protocol.md")

    def _new(self, rest: str) -> None:
        name, _, seed = rest.partition(" ")
        if name != self._game.name:
            raise InvalidInputError(f"this program plays {self._game.title} only")
        number = _number(seed)
        if number is None:
            raise InvalidInputError("say `new`, the game and a whole number as its seed")
        self._bot.close()
        self._bot = bot(self._game, self._name, seed=number % 2**32, threads=self._threads, allow_external=True)
        self._record = None
        self._say("ready")

    def _go(self, rest: str) -> None:
        if self._record is None:
            raise InvalidInputError("say `position` and a record before `go`")
        first, _, second = rest.partition(" ")
        player, milliseconds = _number(first), _number(second)
        end = self._record.end
        if player is None or player not in end.to_move:
            raise InvalidInputError(
                f"player {quote_truncated(first)} is not to move: {', '.join(map(str, end.to_move)) or 'nobody'}"
            )
        allowed = min(milliseconds / 1000, _LONGEST) if milliseconds else DEFAULT_TURN_SECONDS
        # The host judges: what the bot says is passed on as it is, and the host's clock rings before ours.
        choice = choose_raw(self._bot, self._record, player, Budget(seconds=allowed, grace=2 * GRACE_SECONDS))
        self._say(f"turn {' '.join(str(choice.turn).split())}")


def _number(word: str) -> int | None:
    """A whole number that is written with a sensible number of digits, or None."""
    return int(word) if word.isdecimal() and len(word) <= 30 else None
