"""A game at the terminal: people at one keyboard, bots in the other seats, nothing ever lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random

from limina.bots import Bot, BotError, bot, choose_checked
from limina.core.position import Step
from limina.core.record import Record
from limina.core.validation import printable
from limina.errors import LiminaError

HELP = """\
Write a turn in the notation above, or one of these:
  legal [WORDS]  list the legal turns, or those that begin with WORDS
  show           draw the position again
  hint           what a bot would play here, and why
  undo           take back the last turn of a person
  save FILE      write the record to another file too
  quit           stop; the game is kept and can be resumed
  help           this text"""


@dataclass(frozen=True, slots=True)
class Console:
    """How the session speaks with the people in front of it."""

    ask: Callable[[str], str]
    write: Callable[[str], None]
    save: Callable[[Path, str], None]
    color: bool


class TerminalGame:
    """One game from wherever it stands to its end, or to where the people leave it."""

    def __init__(
        self, record: Record, home: Path, console: Console, rng: Random, *, allow_external: bool = False
    ) -> None:
        self.record = record
        self._home = home
        self._console = console
        self._rng = rng
        self._undrawn: list[Step] = []  # what chance did in the turns taken back: it does the same again
        self._bots: dict[int, Bot] = {
            seat: bot(record.game, name.removeprefix("bot:"), seed=rng.getrandbits(32), allow_external=allow_external)
            for seat, name in enumerate(record.names)
            if name.startswith("bot:")
        }

    def play(self) -> bool:
        """Play on; whether the game came to its end."""
        self._keep()
        with ExitStack() as stack:
            for player in self._bots.values():
                stack.callback(player.close)
            while self.record.end.outcome is None:
                if self.record.end.awaits_chance:
                    self._apply_chance()
                elif (person := self._next_person()) is None:
                    self._let_bot(self.record.end.to_move[0])
                elif not self._let_person(person):
                    return False
        self._console.write(self.record.end.text(color=self._console.color))
        return True

    def _apply_chance(self) -> None:
        if self._undrawn:
            self.record = self.record.apply(self._undrawn.pop())
        else:
            self.record = self.record.apply_chance(self._rng)
        self._keep()

    def _let_bot(self, seat: int) -> None:
        try:
            turn = choose_checked(self._bots[seat], self.record, seat).turn
        except BotError as failure:
            raise BotError(f"{self._name(seat)} cannot go on: {failure}") from None
        self.record = self.record.play(turn, seat)
        self._console.write(f"{self._name(seat)} plays {turn}")
        self._keep()

    def _name(self, seat: int) -> str:
        return printable(self.record.names[seat])

    def _next_person(self) -> int | None:
        """Who is asked next: people before bots, since where all move at once they are not to know what bots did."""
        seats: tuple[int, ...] = self.record.end.to_move
        return next((seat for seat in seats if seat not in self._bots), None)

    def _let_person(self, seat: int) -> bool:
        """Ask until something has happened; False to leave the game."""
        end = self.record.end
        self._console.write(
            end.text(color=self._console.color, player=seat if self.record.game.spec.simultaneous else None)
        )
        while True:
            words = self._console.ask(f"{self._name(seat)}> ").strip()
            command, _, rest = words.partition(" ")
            match command.lower():
                case "":
                    continue
                case "help" | "?":
                    self._console.write(f"{self.record.game.spec.rules}\n\n{HELP}")
                case "quit" | "exit":
                    return False
                case "show":
                    return True
                case "undo":
                    if self._undo():
                        return True
                    self._console.write("Nothing can be taken back: no person has moved yet.")
                case "hint":
                    self._hint(seat)
                case "save":
                    self._save_as(rest.strip())
                case "legal":
                    self._list(seat, rest.strip())
                case _:
                    try:
                        self.record = self.record.play(words, seat)
                    except LiminaError as error:
                        self._console.write(f"{error} (help: what can be written)")
                        continue
                    self._keep()
                    return True

    def _list(self, seat: int, beginning: str) -> None:
        found = [str(turn) for turn in self.record.end.legal_turns(seat)]
        chosen = [turn for turn in found if turn.startswith(beginning)]
        none = f"None of the {len(found)} legal turns begins like that."
        self._console.write("\n".join(_columns(chosen)) if chosen else none)

    def _hint(self, seat: int) -> None:
        from limina.analysis import hint  # most games are played without

        try:
            self._console.write(str(hint(self.record.game, self.record.end, seat)))
        except LiminaError as error:
            self._console.write(f"There is no hint: {error}.")

    def _undo(self) -> bool:
        """Go back to before the last turn of a person."""
        steps = self.record.steps
        mine = [n for n, step in enumerate(steps) if step.player is not None and step.player not in self._bots]
        if not mine:
            return False
        undone = steps[mine[-1] :]
        self._undrawn.extend(step for step in reversed(undone) if step.player is None)
        self.record = self.record.without_last(len(undone))
        self._keep()
        return True

    def _save_as(self, name: str) -> None:
        if not name:
            self._console.write("Say where: save FILE")
            return
        try:
            self._console.save(Path(name).expanduser(), self.record.write() + "\n")
        except LiminaError as error:
            self._console.write(str(error))
        else:
            self._console.write(f"Saved to {name}.")

    def _keep(self) -> None:
        self._console.save(self._home, self.record.write() + "\n")


def _columns(words: Sequence[str], width: int = 100) -> list[str]:
    wide = max(map(len, words)) + 2
    each = max(1, width // wide)
    return ["".join(word.ljust(wide) for word in words[n : n + each]).rstrip() for n in range(0, len(words), each)]
