"""Displays of a real table, entered by hand: what they are worth, who wins, and a record that leads to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import TypedDict

from limina._kernel import limes as kernel
from limina.core.record import Record
from limina.core.validation import (
    expect_int,
    expect_list,
    expect_object,
    expect_str,
    quote_truncated,
    reject_unknown_keys,
)
from limina.errors import InvalidInputError
from limina.limes import rules
from limina.limes.companion.reconstruct import Lain, retrace
from limina.limes.decks.deck import turnings
from limina.limes.notation import CELLS, ZONES, cell_index, zone_index
from limina.limes.position import Position
from limina.limes.position_string import read_display, zone_letter
from limina.limes.presenter import LimesDisplay, LimesEnd, display_state, end_state

_KEYS = ("options", "deck", "players", "draws", "displays")
_MOST_NAME = 40


class LimesTable(TypedDict):
    """What lies on a real table."""

    deck: list[str]
    """All faces, card 1 first."""
    displays: list[LimesDisplay]
    end: LimesEnd | None
    """Once all 16 cards of every player are entered, and they are the same."""
    record: dict[str, Any] | None
    """A game that ends there; null before its end, and where none was found."""


class LimesCompanionJudge:
    """Counts what somebody has entered of a real table.

    >>> table = {"players": ["Ada"], "displays": [{"cards": {"d4": [17, 0]}, "workers": ["d4.nw"]}]}
    >>> LimesCompanionJudge().judge(table)["displays"][0]["workers"][0]["profession"]
    'watchman'
    """

    result_type = LimesTable

    def judge(self, table: Mapping[str, Any]) -> LimesTable:
        """`{"players", "displays": [{"cards": {"d4": [17, 0]}, "workers": ["d4.nw"], "course"?}], "draws"?, "options"?,
        "deck"?}`: what every display is worth, and how the game ended if it did."""
        reject_unknown_keys(table, _KEYS, "this table")
        names = [_name(name) for name in expect_list(table.get("players"), "players")]
        start = self._start(table, len(names))
        displays = expect_list(table.get("displays"), "displays")
        if len(displays) != len(names):
            raise InvalidInputError(
                f"there must be a display for each of the {len(names)} players, not {len(displays)}"
            )
        lain = [_lain(display, f"display {number}") for number, display in enumerate(displays, 1)]
        boards = tuple(_board(start, each) for each in lain)
        draws = _draws(table.get("draws"))
        end, record = None, None
        if all(len(each.cards) == kernel.ROUNDS and each.cards.keys() == lain[0].cards.keys() for each in lain):
            end = end_state(Position(start.deck, tuple(lain[0].cards), boards))
            known = draws if draws is not None and set(draws) == set(lain[0].cards) else None
            steps = retrace(start, lain, known)
            if steps is not None:
                written = Record.new(rules.GAME, names, **_options(table))
                for step in steps:
                    written = written.apply(step)
                record = written.to_json()
        return {
            "deck": list(start.deck.faces),
            "displays": [display_state(board) for board in boards],
            "end": end,
            "record": record,
        }

    def position(self, table: Mapping[str, Any]) -> Position:
        """Nobody is to move in displays that were entered."""
        raise InvalidInputError("nobody is to move in displays that were entered")

    def _start(self, table: Mapping[str, Any], players: int) -> Position:
        return rules.GAME.start(players, **_options(table))


def _options(table: Mapping[str, Any]) -> dict[str, Any]:
    options = dict(expect_object(table.get("options", {}), "options"))
    reject_unknown_keys(options, ("diagonal", "ferryman"), "options")
    return options | ({"deck": table["deck"]} if table.get("deck") is not None else {})


def _name(name: object) -> str:
    text = expect_str(name, "a name").strip()
    if not 1 <= len(text) <= _MOST_NAME:
        raise InvalidInputError(f"a name must have 1 to {_MOST_NAME} characters, not {len(text)}")
    return text


def _draws(value: object) -> tuple[int, ...] | None:
    if value is None:
        return None
    drawn = [expect_int(card, "a card", range(1, kernel.CARDS + 1)) for card in expect_list(value, "draws")]
    if len(set(drawn)) < len(drawn):
        raise InvalidInputError("each card is drawn once")
    return tuple(drawn)


def _lain(value: object, what: str) -> Lain:
    display = expect_object(value, what)
    reject_unknown_keys(display, ("cards", "workers", "course"), what)
    cards: dict[int, tuple[int, int]] = {}
    for cell, lies in expect_object(display.get("cards", {}), f"the cards of {what}").items():
        if len(expect_list(lies, f"the card on {quote_truncated(cell)}")) != 2:
            raise InvalidInputError(
                f"the card on {quote_truncated(cell)} must be its number and its turning, such as [17, 0]"
            )
        number = expect_int(lies[0], f"the card on {quote_truncated(cell)}", range(1, kernel.CARDS + 1))
        if number in cards:
            raise InvalidInputError(f"{what}: card {number} lies there twice")
        cards[number] = cell_index(cell), expect_int(lies[1], f"the turning of card {number}", range(4))
    if len(cards) > kernel.ROUNDS:
        raise InvalidInputError(f"{what} has {len(cards)} cards, and a game has {kernel.ROUNDS}")
    workers = _zones(display.get("workers", []), what)
    course = [_zones(zones, what) for zones in expect_list(display.get("course", []), "course")[: kernel.ROUNDS]]
    laid = {cell for cell, _ in cards.values()}
    for zone in workers:
        if _cell(zone) not in laid:
            raise InvalidInputError(f"{what}: no card lies under the worker on {ZONES[zone]}")
    # Where cards were laid otherwise since, what was written down says nothing any more.
    sound = all(_cell(zone) in laid for zones in course for zone in zones)
    return Lain(cards, workers, tuple(course) if sound else ())


def _cell(zone: int) -> int:
    return zone // 32 * 8 + zone % 16 // 2


def _zones(value: object, what: str) -> tuple[int, ...]:
    zones = expect_list(value, f"the workers of {what}")
    if len(zones) > kernel.WORKERS:
        raise InvalidInputError(f"{what}: a player has {kernel.WORKERS} workers, here stand {len(zones)}")
    return tuple(zone_index(expect_str(zone, "a worker's zone")) for zone in zones)


def _board(start: Position, lain: Lain) -> kernel.Display:
    """The kernel's display, by the line that would stand for it."""
    if not lain.cards:
        return kernel.Display(start.diagonal, start.ferryman)
    cells = [cell for cell, _ in lain.cards.values()]
    left, top = min(cell % 8 for cell in cells), min(cell // 8 for cell in cells)
    wide, high = max(cell % 8 for cell in cells) - left + 1, max(cell // 8 for cell in cells) - top + 1
    if len(set(cells)) < len(cells) or max(wide, high) > 4:
        raise InvalidInputError("cards must lie on cells of their own, up to 4 in a row and in a column")
    rows = [["."] * (2 * wide) for _ in range(2 * high)]
    for number, (cell, turning) in lain.cards.items():
        face = turnings(start.deck.grounds[number - 1])[turning]
        for quarter, (landscape, hut) in enumerate(face):
            x, y = 2 * (cell % 8 - left) + quarter % 2, 2 * (cell // 8 - top) + quarter // 2
            rows[y][x] = zone_letter(landscape, hut)
    workers = ",".join(ZONES[zone] for zone in lain.workers) or "-"
    written = "/".join("".join(row) for row in rows)
    return read_display(f"{CELLS[8 * top + left]}:{written}:{workers}", start.diagonal, start.ferryman)
