"""Companion of Limes: scores displays that players enter by hand, and finds a record that leads to them."""

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
from limina.limes.companion.reconstruct import EnteredDisplay, reconstruct
from limina.limes.decks.deck import face_rotations
from limina.limes.notation import CELLS, ZONES, cell_index, cell_of, zone_index
from limina.limes.position import Position
from limina.limes.position_string import read_display, zone_letter
from limina.limes.presenter import LimesDisplay, LimesEnd, display_to_json, end_to_json

_KEYS = ("options", "deck", "players", "draws", "displays")
_MAX_NAME_CHARACTERS = 40


class LimesCompanionState(TypedDict):
    """The result of an entered game."""

    deck: list[str]
    """All faces, card 1 first."""
    displays: list[LimesDisplay]
    end: LimesEnd | None
    """The end of the game; null unless all players have the same 16 cards."""
    record: dict[str, Any] | None
    """A game that ends with these displays; null before the end, or if the search found none."""


class LimesCompanionJudge:
    """Scores a physical game that players enter by hand.

    >>> entry = {"players": ["Ada"], "displays": [{"cards": {"d4": [17, 0]}, "workers": ["d4.nw"]}]}
    >>> LimesCompanionJudge().judge(entry)["displays"][0]["workers"][0]["profession"]
    'watchman'
    """

    result_type = LimesCompanionState

    def judge(self, entry: Mapping[str, Any]) -> LimesCompanionState:
        """Return the scored displays of an entry, and its end and a record if the game is over.

        An entry has the keys `players` and `displays`, and optionally `draws`, `options` and `deck`. A display is
        `{"cards": {"d4": [17, 0]}, "workers": ["d4.nw"]}`, optionally with `workers_by_round`. Raises
        InvalidInputError if the entry is invalid.
        """
        reject_unknown_keys(entry, _KEYS, "the entered game")
        names = [_read_name(name) for name in expect_list(entry.get("players"), "players")]
        options = _read_options(entry)
        start = rules.GAME.start(len(names), **options)
        values = expect_list(entry.get("displays"), "displays")
        if len(values) != len(names):
            raise InvalidInputError(f"there must be a display for each of the {len(names)} players, not {len(values)}")
        displays = [_read_display(value, f"display {number}") for number, value in enumerate(values, 1)]
        boards = tuple(_kernel_display(start, display) for display in displays)
        draws = _read_draws(entry.get("draws"))
        end, record = None, None
        cards = displays[0].cards
        if len(cards) == kernel.ROUNDS and all(display.cards.keys() == cards.keys() for display in displays):
            end = end_to_json(Position(start.deck, tuple(cards), boards))
            steps = reconstruct(start, displays, draws if draws is not None and set(draws) == set(cards) else None)
            if steps is not None:
                game = Record.new(rules.GAME, names, **options)
                for step in steps:
                    game = game.apply(step)
                record = game.to_json()
        return {
            "deck": list(start.deck.faces),
            "displays": [display_to_json(board) for board in boards],
            "end": end,
            "record": record,
        }

    def position(self, entry: Mapping[str, Any]) -> Position:
        """Raise InvalidInputError, since entered displays do not say which player is to move."""
        raise InvalidInputError("entered displays have no player to move")


def _read_options(entry: Mapping[str, Any]) -> dict[str, Any]:
    options = dict(expect_object(entry.get("options", {}), "options"))
    reject_unknown_keys(options, ("diagonal", "ferryman"), "options")
    return options | ({"deck": entry["deck"]} if entry.get("deck") is not None else {})


def _read_name(value: object) -> str:
    name = expect_str(value, "a name").strip()
    if not 1 <= len(name) <= _MAX_NAME_CHARACTERS:
        raise InvalidInputError(f"a name must have 1 to {_MAX_NAME_CHARACTERS} characters, not {len(name)}")
    return name


def _read_draws(value: object) -> tuple[int, ...] | None:
    if value is None:
        return None
    draws = [expect_int(card, "a card", range(1, kernel.DECK_SIZE + 1)) for card in expect_list(value, "draws")]
    if len(set(draws)) < len(draws):
        raise InvalidInputError("each card is drawn once")
    return tuple(draws)


def _read_display(value: object, what: str) -> EnteredDisplay:
    """Read an entered display; `what` names it in error messages."""
    display = expect_object(value, what)
    reject_unknown_keys(display, ("cards", "workers", "workers_by_round"), what)
    cards: dict[int, tuple[int, int]] = {}
    for cell, placement in expect_object(display.get("cards", {}), f"the cards of {what}").items():
        if len(expect_list(placement, f"the card on {quote_truncated(cell)}")) != 2:
            raise InvalidInputError(
                f"the card on {quote_truncated(cell)} must be its number and its turning, such as [17, 0]"
            )
        number = expect_int(placement[0], f"the card on {quote_truncated(cell)}", range(1, kernel.DECK_SIZE + 1))
        if number in cards:
            raise InvalidInputError(f"{what}: card {number} lies there twice")
        cards[number] = cell_index(cell), expect_int(placement[1], f"the turning of card {number}", range(4))
    if len(cards) > kernel.ROUNDS:
        raise InvalidInputError(f"{what} has {len(cards)} cards, and a game has {kernel.ROUNDS}")
    workers = _read_zones(display.get("workers", []), what)
    rounds = expect_list(display.get("workers_by_round", []), "workers_by_round")[: kernel.ROUNDS]
    workers_by_round = tuple(_read_zones(zones, what) for zones in rounds)
    covered = {cell for cell, _ in cards.values()}
    for zone in workers:
        if cell_of(zone) not in covered:
            raise InvalidInputError(f"{what}: no card lies under the worker on {ZONES[zone]}")
    # A worker in an earlier round on a cell that is now empty means that cards were entered anew since.
    is_consistent = all(cell_of(zone) in covered for zones in workers_by_round for zone in zones)
    return EnteredDisplay(cards, workers, workers_by_round if is_consistent else ())


def _read_zones(value: object, what: str) -> tuple[int, ...]:
    zones = expect_list(value, f"the workers of {what}")
    if len(zones) > kernel.WORKERS_PER_PLAYER:
        raise InvalidInputError(f"{what}: a player has {kernel.WORKERS_PER_PLAYER} workers, here stand {len(zones)}")
    return tuple(zone_index(expect_str(zone, "a worker's zone")) for zone in zones)


def _kernel_display(start: Position, display: EnteredDisplay) -> kernel.Display:
    """Return the kernel's display, which is read from the display's part of a position string."""
    if not display.cards:
        return kernel.Display(start.diagonal, start.ferryman)
    cells = [cell for cell, _ in display.cards.values()]
    left, top = min(cell % 8 for cell in cells), min(cell // 8 for cell in cells)
    width, height = max(cell % 8 for cell in cells) - left + 1, max(cell // 8 for cell in cells) - top + 1
    if len(set(cells)) < len(cells) or max(width, height) > 4:
        raise InvalidInputError("cards must lie on cells of their own, up to 4 in a row and in a column")
    rows = [["."] * (2 * width) for _ in range(2 * height)]
    for number, (cell, turning) in display.cards.items():
        face = face_rotations(start.deck.parsed_faces[number - 1])[turning]
        for quarter, (landscape, hut) in enumerate(face):
            x, y = 2 * (cell % 8 - left) + quarter % 2, 2 * (cell // 8 - top) + quarter // 2
            rows[y][x] = zone_letter(landscape, hut)
    workers = ",".join(ZONES[zone] for zone in display.workers) or "-"
    zone_rows = "/".join("".join(row) for row in rows)
    return read_display(f"{CELLS[8 * top + left]}:{zone_rows}:{workers}", start.diagonal, start.ferryman)
