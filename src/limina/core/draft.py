"""Partial turns, for programs that choose a turn part by part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from limina.core.validation import quote_truncated
from limina.errors import IllegalTurnError


class HasParts(Protocol):
    """A turn that consists of parts. The parts of one legal turn are never the first parts of another."""

    @property
    def parts(self) -> tuple[str, ...]:
        """Its parts in the notation, in the order in which they are chosen."""


I = TypeVar("I", bound=HasParts)  # noqa: E741


@dataclass(frozen=True)
class Draft(Generic[I]):
    """The chosen parts of a turn, and all legal turns that begin with them. Immutable.

    >>> import limina
    >>> draft = limina.game("limes").start().draw_card(17).draft()
    >>> draft.options
    ('d4r0', 'd4r1', 'd4r2', 'd4r3')
    >>> draft = draft.take("d4r0")
    >>> draft.options
    ('-', '+nw', '+ne', '+sw', '+se')
    >>> draft.take("+ne").turn
    Turn.read('d4r0 +ne')
    """

    turns: tuple[I, ...]
    taken: tuple[str, ...] = ()

    @classmethod
    def of(cls, turns: Iterable[I]) -> Draft[I]:
        """Return the draft in which no part has been chosen yet."""
        return cls(tuple(turns))

    @property
    def turn(self) -> I | None:
        """The turn once all its parts are chosen, else None."""
        return self.turns[0] if len(self.turns) == 1 and self.turns[0].parts == self.taken else None

    @property
    def options(self) -> tuple[str, ...]:
        """The parts that can be chosen next; empty once the turn is complete."""
        next_index = len(self.taken)
        return tuple(dict.fromkeys(turn.parts[next_index] for turn in self.turns if len(turn.parts) > next_index))

    def take(self, part: str) -> Draft[I]:
        """Return the draft with one more part. Raises IllegalTurnError if no legal turn goes on with it."""
        taken = (*self.taken, part)
        remaining = tuple(turn for turn in self.turns if turn.parts[: len(taken)] == taken)
        if not remaining:
            context = f" after {' '.join(self.taken)}" if self.taken else ""
            raise IllegalTurnError(f"{quote_truncated(part)} cannot be chosen{context}")
        return Draft(remaining, taken)
