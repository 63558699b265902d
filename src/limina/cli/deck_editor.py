"""A deck changed by what somebody types, with a way back; nothing is written until it is saved."""

from __future__ import annotations

from collections.abc import Callable

from limina.core.capabilities import Deck
from limina.core.validation import quote_truncated
from limina.errors import LiminaError

_HELP = """\
7 F* W T R    give card 7 this face: nw ne sw se; F field, W water, T forest, R rock, * a hut
7             show card 7            turn 7     turn it a quarter clockwise
copy 3 7      make 7 like 3          name ...   call the deck so
show          the whole deck         undo       take the last change back
save          write the file         quit       leave (quit! without saving)"""
MOST_UNDONE = 1000


class Editor:
    """Obeys one line after the other, and answers each with a text."""

    help = _HELP

    def __init__(self, deck: Deck, save: Callable[[Deck], None], *, color: bool = False) -> None:
        self.deck = deck
        self.done = False
        self._saved = (deck.faces, deck.name)
        self._save = save
        self._color = color
        self._before: list[Deck] = []

    @property
    def changed(self) -> bool:
        """Whether there is something that is not saved."""
        return (self.deck.faces, self.deck.name) != self._saved

    def obey(self, line: str) -> str:
        """Do what a line says; the answer, also if it cannot be done."""
        try:
            return self._obey(line.split(maxsplit=1))
        except LiminaError as error:
            return str(error)

    def _obey(self, words: list[str]) -> str:
        if not words:
            return _HELP
        word, rest = words[0].lower(), words[1].strip() if len(words) > 1 else ""
        if word.isdecimal() and len(word) < 4:
            number = int(word)
            return self._change(self.deck.with_face(number, rest.upper()), number) if rest else self._card(number)
        if word == "turn":
            number = self._number(rest)
            return self._change(self.deck.with_rotated(number), number)
        if word == "copy":
            source, _, target = rest.partition(" ")
            number = self._number(target)
            return self._change(self.deck.with_face(number, self.deck.faces[self._number(source) - 1]), number)
        if word == "name" and rest:
            self._change(self.deck.with_name(rest))
            return f"The deck is called {quote_truncated(rest)}."
        if word == "undo":
            if not self._before:
                return "There is nothing to take back."
            self.deck = self._before.pop()
            return "Taken back."
        if word == "show":
            return self.deck.text(color=self._color)
        if word == "save":
            self._save(self.deck)
            self._saved = (self.deck.faces, self.deck.name)
            return " ".join(["Saved.", *(f"Warning: {warning}." for warning in self.deck.warnings())])
        if word in ("quit", "quit!"):
            if self.changed and word == "quit":
                return "There are changes that are not saved: save, or quit! without them."
            self._saved = (self.deck.faces, self.deck.name)
            self.done = True
            return "Good bye."
        return f"{quote_truncated(words[0])} is not known here.\n{_HELP}"

    def _change(self, deck: Deck, number: int | None = None) -> str:
        self._before = [*self._before[1 - MOST_UNDONE :], self.deck]
        self.deck = deck
        return "" if number is None else self._card(number)

    def _card(self, number: int) -> str:
        if not 1 <= number <= len(self.deck.faces):
            return f"there is no card {number}: cards are 1 to {len(self.deck.faces)}"
        return f"card {number}: {self.deck.faces[number - 1]}"

    def _number(self, word: str) -> int:
        word = word.strip()
        if not word.isdecimal() or len(word) > 3 or not 1 <= int(word) <= len(self.deck.faces):
            raise LiminaError(
                f"{quote_truncated(word)} is not the number of a card: cards are 1 to {len(self.deck.faces)}"
            )
        return int(word)
