"""Reconstruction of a game from its final displays: an order of the cards, and each player's turns.

All players lay the cards in the same order, each card beside an earlier one. A worker was placed on a card when it was
laid, or moved from elsewhere.
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
from limina.limes.notation import Turn, cell_of
from limina.limes.position import Position

_FIRST_CELL = 27
"""The kernel's index of d4, where the first card lies."""
_MAX_ORDERS = 24
"""Orders of the cards that are tried."""
_MAX_MOVES_PER_WORKER = 3
"""Moves of one worker after its placement."""
_MAX_MOVES_TRIED = 4_000
"""Moves that the search for one display tries."""
_SIDES = ((1, 0), (0, 1), (-1, 0), (0, -1))
_CORNERS = ((1, 1), (1, -1), (-1, 1), (-1, -1))

Action = tuple[int | None, int]
"""The zone a worker leaves (None: it comes from the supply) and the zone it goes to."""


@dataclass(frozen=True)
class EnteredDisplay:
    """A display as a player entered it: the cell and turning of each card by its number, and each worker's zone."""

    cards: Mapping[int, tuple[int, int]]
    workers: tuple[int, ...]
    workers_by_round: tuple[tuple[int, ...], ...] = ()
    """The zones of the workers after each card, if they were entered during the game."""

    @cached_property
    def card_by_cell(self) -> dict[int, int]:
        """The number of the card on each cell."""
        return {cell: card for card, (cell, _) in self.cards.items()}

    def neighbors(self, card: int, *, diagonal: bool) -> frozenset[int]:
        """Return the cards that touch a card, with `diagonal` also those that touch it at a corner."""
        row, column = divmod(self.cards[card][0], 8)
        cells = ((row + down) * 8 + column + right for down, right in _SIDES + (_CORNERS if diagonal else ()))
        return frozenset(self.card_by_cell[cell] for cell in cells if cell in self.card_by_cell)

    def shifted(self, first_card: int) -> EnteredDisplay:
        """Return the display shifted so that its first card lies on d4."""
        cell = self.cards[first_card][0]
        rows, columns = _FIRST_CELL // 8 - cell // 8, _FIRST_CELL % 8 - cell % 8
        cards = {card: (cell + 8 * rows + columns, turning) for card, (cell, turning) in self.cards.items()}
        workers, *by_round = (
            tuple(zone + 32 * rows + 2 * columns for zone in zones) for zones in (self.workers, *self.workers_by_round)
        )
        return EnteredDisplay(cards, workers, tuple(by_round))


def reconstruct(
    start: Position, displays: Sequence[EnteredDisplay], draws: Sequence[int] | None = None
) -> list[Step] | None:
    """Return steps from the start to these displays, which hold the same cards; None if the search finds none.

    `draws` is the order of the cards if it is known.
    """
    for order in _possible_orders(start, displays) if draws is None else (tuple(draws),):
        turns_by_player = []
        for display in displays:
            shifted = display.shifted(order[0])
            turns = _entered_turns(start, shifted, order) or _WorkerSearch(start, shifted, order).turns()
            if turns is None:
                break
            turns_by_player.append(turns)
        else:
            steps = []
            for round_index, card in enumerate(order):
                steps.append(Step(None, str(card)))
                steps += [Step(player, str(turns[round_index])) for player, turns in enumerate(turns_by_player)]
            if _is_legal(start, steps):
                return steps
    return None


def _entered_turns(start: Position, display: EnteredDisplay, order: Sequence[int]) -> list[Turn] | None:
    """Return the turns that follow from `workers_by_round`; None if it is incomplete or a turn is illegal."""
    by_round = display.workers_by_round
    if len(by_round) != len(order) or Counter(by_round[-1]) != Counter(display.workers):
        return None
    turns: list[Turn] = []
    board, before = kernel.Display(start.diagonal, start.ferryman), Counter[int]()
    for card, zones in zip(order, by_round, strict=True):
        sources, targets = list((before - Counter(zones)).elements()), list((Counter(zones) - before).elements())
        if len(sources) > 1 or len(targets) > 1 or len(sources) > len(targets):
            return None
        source, target = sources[0] if sources else None, targets[0] if targets else None
        code = kernel.turn_code(*display.cards[card], source, target)
        after = board.play(start.deck.cards[card - 1], code)
        if isinstance(after, kernel.IllegalTurnReason):
            return None
        board, before = after, Counter(zones)
        turns.append(Turn.from_code(code))
    return turns


def _is_legal(start: Position, steps: Sequence[Step]) -> bool:
    position = start
    try:
        for step in steps:
            position = position.apply(step)
    except LiminaError:
        return False
    return True


def _possible_orders(start: Position, displays: Sequence[EnteredDisplay]) -> Iterator[tuple[int, ...]]:
    """Yield random orders in which all players can have laid the cards."""
    cards = sorted(displays[0].cards)
    neighbors = [{card: display.neighbors(card, diagonal=start.diagonal) for card in cards} for display in displays]
    dead_ends: set[frozenset[int]] = set()

    def extend(order: tuple[int, ...], rng: Random) -> tuple[int, ...] | None:
        if len(order) == len(cards):
            return order
        laid = frozenset(order)
        if laid in dead_ends:
            return None
        remaining = [card for card in cards if card not in laid]
        rng.shuffle(remaining)
        for card in remaining:
            if not order or all(touching[card] & laid for touching in neighbors):
                extended = extend((*order, card), rng)
                if extended is not None:
                    return extended
        dead_ends.add(laid)
        return None

    for seed in range(_MAX_ORDERS):
        order = extend((), Random(seed))
        if order is None:
            return
        yield order


class _WorkerSearch:
    """Searches for one player's turns in a given order of the cards."""

    def __init__(self, start: Position, display: EnteredDisplay, order: Sequence[int]) -> None:
        self._placements = [display.cards[card] for card in order]
        self._round_of_cell = {cell: round_index for round_index, (cell, _) in enumerate(self._placements)}
        self._workers = display.workers
        self._boards: list[kernel.Display] = []
        self._territories: dict[int, tuple[dict[int, int], list[list[int]]]] = {}
        self._tries_left = _MAX_MOVES_TRIED
        board = kernel.Display(start.diagonal, start.ferryman)
        for card, (cell, turning) in zip(order, self._placements, strict=True):
            after = board.play(start.deck.cards[card - 1], kernel.turn_code(cell, turning))
            if isinstance(after, kernel.IllegalTurnReason):
                break
            board = after
            self._boards.append(board)

    def turns(self) -> list[Turn] | None:
        """Return a turn for each card; None if the cards or the workers cannot have come this way."""
        if len(self._boards) < len(self._placements):
            return None
        actions: dict[int, Action] = {}
        moved: list[int] = []
        for zone in self._workers:
            # A turn places one worker on its card, so all others on this card moved there later.
            if self._round_of(zone) in actions:
                moved.append(zone)
            else:
                actions[self._round_of(zone)] = (None, zone)
        if not self._add_moves(moved, actions):
            return None
        return [
            Turn.from_code(kernel.turn_code(cell, turning, *actions.get(round_index, (None, None))))
            for round_index, (cell, turning) in enumerate(self._placements)
        ]

    def _add_moves(self, zones: Sequence[int], actions: dict[int, Action]) -> bool:
        """Add actions in free rounds that bring a worker to each of these zones; return False if there are none."""
        if not zones:
            return True
        for moves in range(1, _MAX_MOVES_PER_WORKER + 1):
            for route in self._routes(zones[0], len(self._placements), moves, set(actions)):
                actions |= route
                if self._add_moves(zones[1:], actions):
                    return True
                for round_index in route:
                    del actions[round_index]
        return False

    def _routes(self, zone: int, before: int, moves: int, used: set[int]) -> Iterator[dict[int, Action]]:
        """Yield routes of a worker to a zone: a placement and `moves` moves, in unused rounds earlier than `before`."""
        for round_index in range(before - 1, self._round_of(zone) - 1, -1):
            if round_index in used:
                continue
            for origin in self._origins(zone, round_index):
                self._tries_left -= 1
                if self._tries_left < 0:
                    return
                placed = self._round_of(origin)
                move: dict[int, Action] = {round_index: (origin, zone)}
                if moves > 1:
                    for route in self._routes(origin, round_index, moves - 1, used | {round_index}):
                        yield route | move
                elif placed < round_index and placed not in used:
                    yield {placed: (None, origin)} | move

    def _origins(self, zone: int, round_index: int) -> Iterator[int]:
        """Yield the zones from which a worker may move to a zone in a round."""
        if round_index not in self._territories:
            territories = self._boards[round_index].territories()
            territory_of = {member: i for i, members in enumerate(territories) for member in members}
            self._territories[round_index] = territory_of, territories
        territory_of, territories = self._territories[round_index]
        adjacent: dict[int, None] = {}
        for member in territories[territory_of[zone]]:
            for right, down in _SIDES:
                other = territory_of.get(member + 16 * down + right)
                if other is not None and other != territory_of[zone]:
                    adjacent[other] = None
        for territory in adjacent:
            yield from territories[territory]

    def _round_of(self, zone: int) -> int:
        return self._round_of_cell[cell_of(zone)]
