"""How a game may have come to displays of which only the end is known: an order of the cards, and turns with them.

Whoever plays at a real table writes nothing down. The cards must have been laid each beside an earlier one, in the same
order by all players, and every worker was placed on a card just laid, or came from elsewhere by moving.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from limina._kernel import limes as kernel
from limina.core.position import Step
from limina.errors import LiminaError
from limina.limes.notation import Turn
from limina.limes.position import Position

_MIDDLE = 27
"""The cell d4, on which every first card lies."""
_MOST_ORDERS = 24
_MOST_MOVES = 3
"""Of one worker, after he was placed."""
_MOST_TRIES = 4_000
"""Ways of one worker that are looked at, of all workers of a display together."""
_SIDES = ((1, 0), (0, 1), (-1, 0), (0, -1))
_CORNERS = ((1, 1), (1, -1), (-1, 1), (-1, -1))

Action = tuple[int | None, int]
"""Where a worker comes from (None: the supply) and where he goes."""


@dataclass(frozen=True)
class Lain:
    """A display as it lies: each card's cell and turning by its number, and the zone of each worker."""

    cards: Mapping[int, tuple[int, int]]
    workers: tuple[int, ...]
    course: tuple[tuple[int, ...], ...] = ()
    """The same after each card, where somebody wrote it down as the game went."""

    @cached_property
    def by_cell(self) -> dict[int, int]:
        """The card on each cell."""
        return {cell: card for card, (cell, _) in self.cards.items()}

    def beside(self, card: int, *, diagonal: bool) -> frozenset[int]:
        """The cards that a card may have been laid against."""
        row, column = divmod(self.cards[card][0], 8)
        near = ((row + down) * 8 + column + right for down, right in _SIDES + (_CORNERS if diagonal else ()))
        return frozenset(self.by_cell[cell] for cell in near if cell in self.by_cell)

    def moved_to_the_middle(self, first: int) -> Lain:
        """The same display, written with its first card on d4."""
        by = _MIDDLE - self.cards[first][0]
        row, column = _MIDDLE // 8 - self.cards[first][0] // 8, _MIDDLE % 8 - self.cards[first][0] % 8
        cards = {card: (cell + by, turning) for card, (cell, turning) in self.cards.items()}
        course = tuple(tuple(zone + 32 * row + 2 * column for zone in zones) for zones in (self.workers, *self.course))
        return Lain(cards, course[0], course[1:])


def retrace(start: Position, displays: Sequence[Lain], draws: Sequence[int] | None = None) -> list[Step] | None:
    """Steps from the start to these displays of the same cards, drawn in this order if it is known; None if none are
    found."""
    for order in _orders(start, displays) if draws is None else (tuple(draws),):
        turns = []
        for lain in displays:
            moved = lain.moved_to_the_middle(order[0])
            plan = _written(start, moved, order) or _Plan(start, moved, order).turns()
            if plan is None:
                break
            turns.append(plan)
        else:
            steps = []
            for number, card in enumerate(order):
                steps.append(Step(None, str(card)))
                steps += [Step(player, str(plan[number])) for player, plan in enumerate(turns)]
            if _leads_there(start, steps):
                return steps
    return None


def _written(start: Position, lain: Lain, order: Sequence[int]) -> list[Turn] | None:
    """The turns as they were written down, if they were and the rules allow them."""
    if len(lain.course) != len(order) or Counter(lain.course[-1]) != Counter(lain.workers):
        return None
    turns: list[Turn] = []
    board, before = kernel.Display(start.diagonal, start.ferryman), Counter[int]()
    for card, zones in zip(order, lain.course, strict=True):
        left, come = list((before - Counter(zones)).elements()), list((Counter(zones) - before).elements())
        if len(left) > 1 or len(come) > 1 or len(left) > len(come):
            return None
        code = kernel.turn_code(*lain.cards[card], left[0] if left else None, come[0] if come else None)
        after = board.play(start.deck.cards[card - 1], code)
        if isinstance(after, kernel.Problem):
            return None
        board, before = after, Counter(zones)
        turns.append(Turn.from_code(code))
    return turns


def _leads_there(start: Position, steps: Sequence[Step]) -> bool:
    position = start
    try:
        for step in steps:
            position = position.apply(step)
    except LiminaError:
        return False
    return True


def _orders(start: Position, displays: Sequence[Lain]) -> Iterator[tuple[int, ...]]:
    """Orders in which every player can have laid the cards, one unlike the other."""
    cards = sorted(displays[0].cards)
    near = [{card: lain.beside(card, diagonal=start.diagonal) for card in cards} for lain in displays]
    dead: set[frozenset[int]] = set()

    def grown(laid: tuple[int, ...], rng: Random) -> tuple[int, ...] | None:
        if len(laid) == len(cards):
            return laid
        here = frozenset(laid)
        if here in dead:
            return None
        left = [card for card in cards if card not in here]
        rng.shuffle(left)
        for card in left:
            if not laid or all(beside[card] & here for beside in near):
                found = grown((*laid, card), rng)
                if found is not None:
                    return found
        dead.add(here)
        return None

    for seed in range(_MOST_ORDERS):
        order = grown((), Random(seed))
        if order is None:
            return
        yield order


class _Plan:
    """One player's turns, once the order of the cards is known."""

    def __init__(self, start: Position, lain: Lain, order: Sequence[int]) -> None:
        self._laid = [lain.cards[card] for card in order]
        self._round_of = {cell: number for number, (cell, _) in enumerate(self._laid)}
        self._workers = lain.workers
        self._boards: list[kernel.Display] = []
        self._maps: dict[int, tuple[dict[int, int], list[list[int]]]] = {}
        self._tries = _MOST_TRIES
        board = kernel.Display(start.diagonal, start.ferryman)
        for card, (cell, turning) in zip(order, self._laid, strict=True):
            after = board.play(start.deck.cards[card - 1], kernel.turn_code(cell, turning))
            if isinstance(after, kernel.Problem):
                break
            board = after
            self._boards.append(board)

    def turns(self) -> list[Turn] | None:
        """A turn for each card, or None if no way was found for the workers."""
        if len(self._boards) < len(self._laid):
            return None
        actions: dict[int, Action] = {}
        others: list[int] = []
        for zone in self._workers:
            # The first of those on a card was placed on it; the others came from elsewhere.
            if self._round(zone) in actions:
                others.append(zone)
            else:
                actions[self._round(zone)] = (None, zone)
        if not self._bring(others, actions):
            return None
        return [
            Turn.from_code(kernel.turn_code(cell, turning, *actions.get(number, (None, None))))
            for number, (cell, turning) in enumerate(self._laid)
        ]

    def _bring(self, zones: Sequence[int], actions: dict[int, Action]) -> bool:
        """Add ways for all workers on these zones, each with rounds of its own."""
        if not zones:
            return True
        for moves in range(1, _MOST_MOVES + 1):
            for way in self._ways(zones[0], len(self._laid), moves, set(actions)):
                actions |= way
                if self._bring(zones[1:], actions):
                    return True
                for number in way:
                    del actions[number]
        return False

    def _ways(self, zone: int, before: int, moves: int, used: set[int]) -> Iterator[dict[int, Action]]:
        """Ways to a zone with so many moves, all in rounds before one and not in those that are used."""
        for number in range(before - 1, self._round(zone) - 1, -1):
            if number in used:
                continue
            for origin in self._near(zone, number):
                self._tries -= 1
                if self._tries < 0:
                    return
                placed = self._round(origin)
                move: dict[int, Action] = {number: (origin, zone)}
                if moves > 1:
                    for way in self._ways(origin, number, moves - 1, used | {number}):
                        yield way | move
                elif placed < number and placed not in used:
                    yield {placed: (None, origin)} | move

    def _near(self, zone: int, number: int) -> Iterator[int]:
        """The zones from which a worker may move to a zone after so many cards."""
        if number not in self._maps:
            territories = self._boards[number].territories()
            self._maps[number] = ({each: i for i, whole in enumerate(territories) for each in whole}, territories)
        of, territories = self._maps[number]
        beside: dict[int, None] = {}
        for here in territories[of[zone]]:
            for right, down in _SIDES:
                there = of.get(here + 16 * down + right)
                if there is not None and there != of[zone]:
                    beside[there] = None
        for territory in beside:
            yield from territories[territory]

    def _round(self, zone: int) -> int:
        return self._round_of[zone // 32 * 8 + zone % 16 // 2]
