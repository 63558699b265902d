"""A turn as far as it is made: for programs that choose it part by part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from limina.core.validation import quote_truncated
from limina.errors import IllegalTurnError


class HasParts(Protocol):
    """A turn that can be told part by part. No turn of a position begins with all the parts of another."""

    @property
    def parts(self) -> tuple[str, ...]:
        """Its parts in the order in which they are chosen, each as players write it."""


I = TypeVar("I", bound=HasParts)  # noqa: E741  # a turn that is in parts


@dataclass(frozen=True)
class Draft(Generic[I]):
    """The parts of a turn that are chosen, and all legal turns that begin with them. A value like a position.

    >>> import limina
    >>> draft = limina.game("limes").start().draw(17).draft()
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
        """The draft before anything is chosen."""
        return cls(tuple(turns))

    @property
    def turn(self) -> I | None:
        """The turn, once all of its parts are chosen."""
        return self.turns[0] if len(self.turns) == 1 and self.turns[0].parts == self.taken else None

    @property
    def options(self) -> tuple[str, ...]:
        """What may be chosen next; nothing once the turn is whole."""
        at = len(self.taken)
        return tuple(dict.fromkeys(turn.parts[at] for turn in self.turns if len(turn.parts) > at))

    def take(self, part: str) -> Draft[I]:
        """The draft with one more part."""
        taken = (*self.taken, part)
        left = tuple(turn for turn in self.turns if turn.parts[: len(taken)] == taken)
        if not left:
            chosen = f" after {' '.join(self.taken)}" if self.taken else ""
            raise IllegalTurnError(f"{quote_truncated(part)} cannot be chosen{chosen}")
        return Draft(left, taken)
