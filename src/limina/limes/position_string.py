"""The position string: a position of Limes in one line of text.

It holds the draws, the variants, each player's display, and the deck unless it is limina's own. In
`17,3 - d4:FWtF/RRWT:d4.nw,d4.nw` the upper left card of the display lies on d4. The rows of zones follow, with a small
letter for a zone with a hut and a dot where no card lies, and then the zone of each worker. `-` is an empty list.
"""

from __future__ import annotations

import re
from itertools import product

from limina._kernel import limes as kernel
from limina.core.validation import expect_str, quote_truncated
from limina.errors import InvalidInputError
from limina.limes.decks.deck import Deck
from limina.limes.draw.scene import LANDSCAPES
from limina.limes.notation import CELLS, ZONES, cell_index, cell_of, zone_index
from limina.limes.position import Position

_MAX_CHARACTERS = 1_000_000
"""The longest text that is read as a position; 1,000 displays take less."""
_FIRST_CELL = 27
"""The kernel's index of d4."""
_DISPLAY = re.compile(r"([a-g][1-7]):([FWTRftr./]+):(-|[a-g1-7.nwse,]+)", re.ASCII)
_DECK = "deck:"


def format_position(position: Position) -> str:
    """Return the position string of a position."""
    variants = "d" * position.diagonal + "f" * position.ferryman
    fields = [",".join(map(str, position.draws)) or "-", variants or "-", *map(_write_display, position.boards)]
    if position.deck != Deck.default():
        faces = ("".join(zone_letter(*zone) for zone in face) for face in position.deck.parsed_faces)
        fields.append(_DECK + ",".join(faces))
    return " ".join(fields)


def parse_position(text: str) -> Position:
    """Read a position string; raise InvalidInputError if it is not one.

    >>> parse_position("17 - -").play("d4r0 +nw").position_string
    '17 - d4:RR/WF:d4.nw'
    """
    text = expect_str(text, "a position")
    fields = text.split() if len(text) <= _MAX_CHARACTERS else []
    deck = None
    if fields and fields[-1].startswith(_DECK):
        deck = _read_deck(fields.pop()[len(_DECK) :])
    if len(fields) < 3 or fields[1] not in ("-", "d", "f", "df"):
        raise InvalidInputError(
            f"{quote_truncated(text)} is not a position: write draws, variants (d, f, df or -) and every display"
        )
    draws, variants, *displays = fields
    start = Position.start(len(displays), deck=deck, diagonal="d" in variants, ferryman="f" in variants)
    cards = _read_draws(draws)
    boards = tuple(read_display(display, "d" in variants, "f" in variants) for display in displays)
    for board in boards:
        if board.card_count not in (len(cards), len(cards) - 1):
            raise InvalidInputError(f"{len(cards)} cards were drawn, but {board.card_count} lie in a display")
    return Position(start.deck, cards, boards)


def zone_letter(landscape: str, hut: bool) -> str:
    """Return the letter of a zone in a position string."""
    return landscape.lower() if hut else landscape


def _write_display(board: kernel.Display) -> str:
    if board.card_count == 0:
        return "-"
    zones = {(zone % 16, zone // 16): zone_letter(LANDSCAPES[land], hut) for zone, land, hut in board.zones()}
    columns, rows = ([place[axis] for place in zones] for axis in (0, 1))
    left, top = min(columns), min(rows)
    lines = ("".join(zones.get((x, y), ".") for x in range(left, max(columns) + 1)) for y in range(top, max(rows) + 1))
    workers = ",".join(ZONES[zone] for zone in board.workers())
    return f"{CELLS[top // 2 * 8 + left // 2]}:{'/'.join(lines)}:{workers or '-'}"


def _read_draws(text: str) -> tuple[int, ...]:
    words = [] if text == "-" else text.split(",")
    if not all(word.isdecimal() and len(word) < 3 and 1 <= int(word) <= kernel.DECK_SIZE for word in words):
        raise InvalidInputError(
            f"{quote_truncated(text)} are not draws: write numbers from 1 to {kernel.DECK_SIZE} with commas, or -"
        )
    cards = tuple(int(word) for word in words)
    if len(set(cards)) < len(cards) or len(cards) > kernel.ROUNDS:
        raise InvalidInputError(
            f"{quote_truncated(text)} are not draws: up to {kernel.ROUNDS} different cards are drawn"
        )
    return cards


def _read_deck(text: str) -> Deck:
    faces = (" ".join(zone.upper() + "*" * zone.islower() for zone in face) for face in text.split(","))
    return Deck(faces)


def read_display(text: str, diagonal: bool, ferryman: bool) -> kernel.Display:
    """Read the field of a position string that holds one player's display."""
    if text == "-":
        return kernel.Display(diagonal, ferryman)
    parts = _DISPLAY.fullmatch(text)
    if parts is None:
        raise InvalidInputError(
            f"{quote_truncated(text)} is not a display: write its corner, rows and workers: d4:FW/RR:d4.nw"
        )
    corner, drawn, workers = parts.groups()
    left, top = cell_index(corner) % 8, cell_index(corner) // 8
    rows = drawn.split("/")
    width, height = len(rows[0]), len(rows)
    zones = {(x, y): land for y, row in enumerate(rows) for x, land in enumerate(row) if land != "."}
    used = [{place[axis] for place in zones} for axis in (0, 1)]
    whole_cards = all(((x ^ dx, y ^ dy) in zones) for x, y in zones for dx, dy in product((0, 1), repeat=2))
    if any(len(row) != width for row in rows) or not whole_cards or used != [set(range(width)), set(range(height))]:
        raise InvalidInputError(
            f"{quote_truncated(text)} is not a display: its rows must be whole cards without a gap around them"
        )
    if width > 8 or height > 8 or left + width // 2 > 7 or top + height // 2 > 7:
        raise InvalidInputError(
            f"{quote_truncated(text)} is not a display: it may be 4 cards wide and tall, within a1 to g7"
        )
    bitboards = [0] * 7  # cards, two bits of the landscape, huts, three bits of the number of workers
    for (x, y), land in zones.items():
        landscape = LANDSCAPES.index(land.upper())
        for board_index, is_set in enumerate((True, landscape & 1, landscape & 2, land.islower())):
            bitboards[board_index] |= bool(is_set) << 8 * y + x
    worker_zones = [zone_index(zone) for zone in workers.split(",")] if workers != "-" else []
    for zone in set(worker_zones):
        x, y = zone % 16 - 2 * left, zone // 16 - 2 * top
        if (x, y) not in zones:
            raise InvalidInputError(f"no card lies under the worker on {ZONES[zone]}")
        for bit in range(3):
            bitboards[4 + bit] |= (worker_zones.count(zone) >> bit & 1) << 8 * y + x
    if len(worker_zones) > kernel.WORKERS_PER_PLAYER:
        raise InvalidInputError(
            f"a player has {kernel.WORKERS_PER_PLAYER} workers, and this display has {len(worker_zones)}"
        )
    supply = kernel.WORKERS_PER_PLAYER - len(worker_zones)
    numbers = (left, top, width // 2, height // 2, supply, len(zones) // 4, diagonal, ferryman)
    board = kernel.Display.__new__(kernel.Display)
    try:
        board.__setstate__((tuple(bitboards), numbers))
    except ValueError:
        raise InvalidInputError(f"{quote_truncated(text)} is not a display that a game can lead to") from None
    if board.card_count and _FIRST_CELL not in {cell_of(zone) for zone, _, _ in board.zones()}:
        raise InvalidInputError("the first card of a display lies on d4")
    return board
