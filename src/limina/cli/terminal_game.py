"""A game in the terminal: people at one keyboard, bots in the other seats. Every step is saved at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random

from limina.bots import Bot, BotError, bot, choose_checked
from limina.cli.wrapping import terminal_width, wrap_text
from limina.core.position import Step
from limina.core.record import Record
from limina.core.validation import printable
from limina.errors import LiminaError

HELP = """\
Enter a turn in the notation above, or one of these commands:
  legal [TEXT]  list the legal turns, or those that begin with TEXT
  show          draw the position again
  hint          see what a bot would play here, and why
  undo          take back the last turn of a person
  save FILE     save the record to another file too
  quit          leave; the game is saved and can be resumed
  help          show this text"""


@dataclass(frozen=True, slots=True)
class Console:
    """Input and output of a terminal game."""

    ask: Callable[[str], str]
    write: Callable[[str], None]
    save: Callable[[Path, str], None]
    color: bool


class TerminalGame:
    """A game that is played from its current position until it is over or the people leave."""

    def __init__(
        self, record: Record, path: Path, console: Console, rng: Random, *, allow_external: bool = False
    ) -> None:
        self.record = record
        self._path = path
        self._console = console
        self._rng = rng
        self._undone_chance: list[Step] = []  # chance steps of turns that were taken back: they happen again
        self._bots: dict[int, Bot] = {
            seat: bot(record.game, name.removeprefix("bot:"), seed=rng.getrandbits(32), allow_external=allow_external)
            for seat, name in enumerate(record.names)
            if name.startswith("bot:")
        }

    def play(self) -> bool:
        """Play until the game is over, and return True; return False if the people leave."""
        self._save()
        with ExitStack() as stack:
            for opened_bot in self._bots.values():
                stack.callback(opened_bot.close)
            while self.record.position.outcome is None:
                if self.record.position.awaits_chance:
                    self._apply_chance()
                elif (seat_index := self._next_person()) is None:
                    self._play_bot(self.record.position.to_move[0])
                elif not self._play_person(seat_index):
                    return False
        self._console.write(self.record.position.text(color=self._console.color))
        return True

    def _apply_chance(self) -> None:
        if self._undone_chance:
            self.record = self.record.apply(self._undone_chance.pop())
        else:
            self.record = self.record.apply_random_chance_step(self._rng)
        self._save()

    def _write(self, text: str) -> None:
        self._console.write(wrap_text(text, terminal_width()))

    def _play_bot(self, seat_index: int) -> None:
        try:
            turn = choose_checked(self._bots[seat_index], self.record, seat_index).turn
        except BotError as error:
            raise BotError(f"{self._name(seat_index)} cannot play on: {error}") from None
        self.record = self.record.play(turn, seat_index)
        self._write(f"{self._name(seat_index)} plays {turn}")
        self._save()

    def _name(self, seat_index: int) -> str:
        return printable(self.record.names[seat_index])

    def _next_person(self) -> int | None:
        """Return the seat of the next person to move, or None if only bots are to move.

        People go first, so that they do not see the bots' turns of an open round.
        """
        seats: tuple[int, ...] = self.record.position.to_move
        return next((seat for seat in seats if seat not in self._bots), None)

    def _play_person(self, seat_index: int) -> bool:
        """Read commands until the game or the drawing must be updated; return False to leave the game."""
        viewer = seat_index if self.record.game.spec.simultaneous else None
        self._console.write(self.record.position.text(color=self._console.color, player=viewer))
        while True:
            line = self._console.ask(f"{self._name(seat_index)}> ").strip()
            command, _, argument = line.partition(" ")
            match command.lower():
                case "":
                    continue
                case "help" | "?":
                    self._write(f"{self.record.game.spec.rules}\n\n{HELP}")
                case "quit" | "exit":
                    return False
                case "show":
                    return True
                case "undo":
                    if self._undo():
                        return True
                    self._write("There is nothing to take back: no person has moved yet.")
                case "hint":
                    self._hint(seat_index)
                case "save":
                    self._save_copy(argument.strip())
                case "legal":
                    self._list_legal(seat_index, argument.strip())
                case _:
                    try:
                        self.record = self.record.play(line, seat_index)
                    except LiminaError as error:
                        self._write(f"{error} (help lists the commands)")
                        continue
                    self._save()
                    return True

    def _list_legal(self, seat_index: int, prefix: str) -> None:
        turns = [str(turn) for turn in self.record.position.legal_turns(seat_index)]
        matching = [turn for turn in turns if turn.startswith(prefix)]
        if matching:
            self._console.write("\n".join(_columns(matching, terminal_width())))
        else:
            self._write(f"None of the {len(turns)} legal turns begins like that.")

    def _hint(self, seat_index: int) -> None:
        from limina.analysis import hint  # imported when it is needed: it takes a while to load

        try:
            self._write(str(hint(self.record.game, self.record.position, seat_index)))
        except LiminaError as error:
            self._write(f"There is no hint: {error}.")

    def _undo(self) -> bool:
        """Take back the last turn of a person and all steps after it; return False if there is none."""
        steps = self.record.steps
        person_steps = [n for n, step in enumerate(steps) if step.player is not None and step.player not in self._bots]
        if not person_steps:
            return False
        undone = steps[person_steps[-1] :]
        self._undone_chance.extend(step for step in reversed(undone) if step.player is None)
        self.record = self.record.without_last(len(undone))
        self._save()
        return True

    def _save_copy(self, name: str) -> None:
        if not name:
            self._write("Name a file: save FILE")
            return
        try:
            self._console.save(Path(name).expanduser(), self.record.to_json_text() + "\n")
        except LiminaError as error:
            self._write(str(error))
        else:
            self._write(f"Saved to {name}.")

    def _save(self) -> None:
        self._console.save(self._path, self.record.to_json_text() + "\n")


def _columns(texts: Sequence[str], width: int) -> list[str]:
    column_width = max(map(len, texts)) + 2
    per_line = max(1, (width + 2) // column_width)
    lines = (texts[n : n + per_line] for n in range(0, len(texts), per_line))
    return ["".join(text.ljust(column_width) for text in line).rstrip() for line in lines]
