"""Encoding of Limes for reinforcement learning: actions on a frame of 10x10 zones, and planes of the display.

kernel/limes/batch.hpp describes the actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from limina._kernel import limes as kernel
from limina.core.capabilities import EncodingSizes
from limina.core.position import Step
from limina.core.validation import expect_int, expect_list, reject_unknown_keys
from limina.errors import InvalidInputError
from limina.limes.deals import read_deal
from limina.limes.decks.deck import Deck
from limina.limes.draw.scene import LANDSCAPES
from limina.limes.notation import Turn, cell_index, zone_xy
from limina.limes.position import Position

PASS_ACTION = kernel.Batch.ACTION_COUNT - 1
_FRAME = kernel.Batch.FRAME_SIDE
"""The side of the frame in zones."""
_NW_OFFSETS = ((0, 0), (1, 0), (1, 1), (0, 1))
"""The position of the face's nw zone in its cell, for each turning."""
REWARDS = ("gain", "final")
OPTIONS = ("deck", "diagonal", "ferryman")


class LimesEncoding:
    """Encodes each display as a row, and a turn as two or three actions."""

    def sizes(self, **options: Any) -> EncodingSizes:
        """Return the array sizes, which do not depend on the options."""
        batch = kernel.Batch
        return EncodingSizes(
            batch.ACTION_COUNT,
            (batch.PLANE_COUNT, _FRAME, _FRAME),
            batch.VECTOR_SIZE,
            batch.PACKED_WORDS,
            kernel.ROUNDS,
        )

    def batch(
        self,
        n_games: int,
        *,
        players: int = 1,
        threads: int = 1,
        illegal_reward: float = -1.0,
        autoreset: int = 1,
        reward: str = "gain",
        **options: Any,
    ) -> kernel.Batch:
        """Return a batch of games with the deck and variants in `options`.

        `reward` is `gain` (the points that a turn gains) or `final` (all points at the end). Raises InvalidInputError
        if an option is invalid.
        """
        reject_unknown_keys(options, (*OPTIONS, "reward"), "options")
        if reward not in REWARDS:
            raise InvalidInputError(f"reward must be one of {', '.join(REWARDS)}")
        return kernel.Batch(
            list(_deck(options).cards),
            n_games,
            players=expect_int(players, "players", range(1, 65)),
            diagonal=bool(options.get("diagonal")),
            ferryman=bool(options.get("ferryman")),
            reward_at_end=reward == "final",
            illegal_reward=illegal_reward,
            autoreset=autoreset,
            threads=threads,
        )

    def start_setup(self, batch: kernel.Batch, game_index: int, setup: object) -> None:
        """Begin a game with a deal: at least 16 card numbers, or a line of them."""
        line = setup if isinstance(setup, str) else " ".join(str(card) for card in _cards(setup))
        batch.deal(game_index, [int(step.text) - 1 for step in read_deal(line)])

    def position_of(self, batch: kernel.Batch, game_index: int, **options: Any) -> Position:
        """Return the position of a game; a card of an unfinished turn is already in its display."""
        draws = tuple(card + 1 for card in batch.draws(game_index))
        return Position(_deck(options), draws, tuple(batch.displays(game_index)))

    def start_position(self, batch: kernel.Batch, game_index: int, position: Position) -> None:
        """Begin a game with the displays and draws of a position."""
        batch.set_game(game_index, list(position.boards), [card - 1 for card in position.draws])

    def position_after(self, batch: kernel.Batch, game_index: int, before: Position, ended: bool) -> Position | None:
        """Return the position at the end of the round that was open in `before`; None while it is still open."""
        if not ended and len(batch.draws(game_index)) == len(before.draws):
            return None
        return Position(before.deck, before.draws, tuple(batch.displays(game_index)))

    def chance_actions(self, position: Position, samples: int) -> list[int]:
        """Return the unseen cards, counted from 0."""
        return [card - 1 for card in position.unseen]

    def chance_step(self, position: Position, action: int) -> Step:
        """Return the step that draws a card, which is counted from 0."""
        return Step(None, str(action + 1))

    def turn_code(self, position: Position, turn: Turn) -> int:
        """Return the kernel's code of a turn."""
        return turn.code

    def turn_actions(self, position: Position, player: int, turn: Turn) -> list[int]:
        """Return the actions of a turn: the zone of the face's nw quarter, then the zones of a worker, or a pass."""
        left, top = position.boards[player].__getstate__()[1][:2]
        cell = cell_index(turn.cell)
        column, row = cell % 8, cell // 8
        x, y = _NW_OFFSETS[turn.turning]
        actions = [_FRAME * (2 * (row - top + 1) + y) + 2 * (column - left + 1) + x]
        left, top = min(left, column), min(top, row)
        for zone in (turn.source, turn.target):
            if zone is not None:
                x, y = zone_xy(zone)
                actions.append(_FRAME * (y - 2 * top + 2) + x - 2 * left + 2)
        return actions if len(actions) > 1 else [*actions, PASS_ACTION]

    def unpack(self, packed: Any, **options: Any) -> tuple[Any, Any, Any]:
        """Return planes, vector and mask of packed observations of games with the deck in `options`."""
        import numpy as np

        words = np.ascontiguousarray(packed, dtype="<u8").reshape(-1, kernel.Batch.PACKED_WORDS)
        rows = len(words)
        bits = np.unpackbits(words.view(np.uint8).reshape(rows, -1, 8), axis=-1, bitorder="little")
        bits = bits.reshape(rows, kernel.Batch.PACKED_WORDS, 64)
        cover, lo, hi, huts, one, two, four, is_open = (bits[:, word] for word in range(8))
        phase, card, supply, _, corner, lifted, left, top = words[:, 8].copy().view(np.uint8).reshape(rows, 8).T
        new_card = np.zeros((rows, 64), np.uint8)
        card_is_placed = (phase == 1) | (phase == 2)
        for zone in (0, 1, 8, 9):
            new_card[np.flatnonzero(card_is_placed), corner[card_is_placed] + zone] = 1
        lifted_worker = np.zeros((rows, 64), np.uint8)
        lifted_worker[np.flatnonzero(phase == 2), lifted[phase == 2]] = 1
        workers = one + 2 * two + 4 * four
        fields, water, forest, rock = cover & ~(lo | hi) & 1, lo & ~hi & 1, hi & ~lo & 1, lo & hi
        plane_bits = (fields, water, forest, rock, huts, workers, new_card, lifted_worker)
        planes = np.zeros((rows, 8, _FRAME, _FRAME), np.uint8)
        for plane, zone_bits in enumerate(plane_bits):
            planes[:, plane, 2:, 2:] = zone_bits.reshape(rows, 8, 8)
        mask = np.zeros((rows, _FRAME, _FRAME), np.uint8)
        zones = card_is_placed[:, None, None] * is_open.reshape(rows, 8, 8)
        mask[:, 2:, 2:] = zones
        for row, cell in zip(*np.nonzero(is_open * (phase == 0)[:, None]), strict=True):
            y, x = 2 * (cell // 8 - int(top[row]) + 1), 2 * (cell % 8 - int(left[row]) + 1)
            mask[row, y : y + 2, x : x + 2] = 1
        passes = ((phase == 1) | (phase == 3)).astype(np.uint8)
        faces = np.array([_face_features(face) for face in _deck(options).parsed_faces], np.uint8)
        vector = np.zeros((rows, kernel.Batch.VECTOR_SIZE), np.uint8)
        row_indices = np.arange(rows)
        vector[row_indices, phase] = 1
        vector[:, 4:24] = faces[card]
        vector[row_indices, 24 + card.astype(int)] = 1
        vector[:, 48:72] = bits[:, 9, :24]
        vector[:, 72] = supply
        vector[:, 73] = cover.sum(axis=1) // 4
        vector[:, 74:76] = bits[:, 9, 32:34]
        return planes, vector, np.concatenate([mask.reshape(rows, PASS_ACTION), passes[:, None]], axis=1)


def _deck(options: Mapping[str, Any]) -> Deck:
    deck = options.get("deck") or Deck.default()
    return deck if isinstance(deck, Deck) else Deck(expect_list(deck, "deck"))


def _cards(setup: object) -> Iterable[object]:
    if not isinstance(setup, Iterable):
        raise InvalidInputError("a deal is a list of card numbers")
    return setup


def _face_features(face: Iterable[tuple[str, bool]]) -> list[int]:
    return [int(flag) for landscape, hut in face for flag in (*(landscape == letter for letter in LANDSCAPES), hut)]
