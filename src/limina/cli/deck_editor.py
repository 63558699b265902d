"""Edit a deck by typed commands, with undo. Nothing is written until the command `save`."""

from __future__ import annotations

from collections.abc import Callable

from limina.core.capabilities import Deck
from limina.core.validation import quote_truncated
from limina.errors import LiminaError

_HELP = """\
7 F* W T R    set the face of card 7: nw ne sw se; F field, W water, T forest, R rock, * a hut
7             show card 7            turn 7     turn card 7 clockwise by a quarter
copy 3 7      copy card 3 to card 7  name ...   rename the deck
show          show the whole deck    undo       take back the last change
save          write the file         quit       leave (quit! leaves without saving)"""
MAX_UNDO_STEPS = 1000


class DeckEditor:
    """Runs one command line after the other on a deck."""

    help = _HELP

    def __init__(self, deck: Deck, save: Callable[[Deck], None], *, color: bool = False) -> None:
        self.deck = deck
        self.is_finished = False
        self._saved = (deck.faces, deck.name)
        self._save = save
        self._color = color
        self._undo_stack: list[Deck] = []

    @property
    def has_unsaved_changes(self) -> bool:
        """True if the deck differs from the saved one."""
        return (self.deck.faces, self.deck.name) != self._saved

    def execute(self, line: str) -> str:
        """Run a command and return its answer or error message."""
        try:
            return self._execute(line.split(maxsplit=1))
        except LiminaError as error:
            return str(error)

    def _execute(self, words: list[str]) -> str:
        if not words:
            return _HELP
        command, argument = words[0].lower(), words[1].strip() if len(words) > 1 else ""
        if command.isdecimal() and len(command) < 4:
            number = int(command)
            if not argument:
                return self._card(number)
            return self._change(self.deck.with_face(number, argument.upper()), number)
        if command == "turn":
            number = self._number(argument)
            return self._change(self.deck.with_rotated(number), number)
        if command == "copy":
            source, _, target = argument.partition(" ")
            number = self._number(target)
            return self._change(self.deck.with_face(number, self.deck.faces[self._number(source) - 1]), number)
        if command == "name" and argument:
            self._change(self.deck.with_name(argument))
            return f"The deck is called {quote_truncated(argument)}."
        if command == "undo":
            if not self._undo_stack:
                return "There is nothing to take back."
            self.deck = self._undo_stack.pop()
            return "Taken back."
        if command == "show":
            return self.deck.text(color=self._color)
        if command == "save":
            self._save(self.deck)
            self._saved = (self.deck.faces, self.deck.name)
            return " ".join(["Saved.", *(f"Warning: {warning}." for warning in self.deck.warnings())])
        if command in ("quit", "quit!"):
            if self.has_unsaved_changes and command == "quit":
                return "There are unsaved changes: enter save, or quit! to leave without them."
            self._saved = (self.deck.faces, self.deck.name)
            self.is_finished = True
            return "Goodbye."
        return f"There is no command {quote_truncated(words[0])}.\n{_HELP}"

    def _change(self, deck: Deck, number: int | None = None) -> str:
        self._undo_stack = [*self._undo_stack[1 - MAX_UNDO_STEPS :], self.deck]
        self.deck = deck
        return "" if number is None else self._card(number)

    def _card(self, number: int) -> str:
        if not 1 <= number <= len(self.deck.faces):
            return f"there is no card {number}: cards are 1 to {len(self.deck.faces)}"
        return f"card {number}: {self.deck.faces[number - 1]}"

    def _number(self, text: str) -> int:
        text = text.strip()
        if not text.isdecimal() or len(text) > 3 or not 1 <= int(text) <= len(self.deck.faces):
            raise LiminaError(
                f"{quote_truncated(text)} is not the number of a card: cards are 1 to {len(self.deck.faces)}"
            )
        return int(text)
