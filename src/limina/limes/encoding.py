"""Limes for programs that learn: clicks on a frame of 10x10 zones, planes of the display (kernel/limes/batch.hpp)."""

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
from limina.limes.notation import Turn, cell_index, zone_xy
from limina.limes.position import Position

PASS = kernel.Batch.ACTIONS - 1
_FRAME = kernel.Batch.FRAME
_QUARTER_OF = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Where in its cell each turning brings the face's nw zone."""
REWARDS = ("gain", "final")
OPTIONS = ("deck", "diagonal", "ferryman")


class LimesEncoding:
    """One row for each display; a turn is two or three clicks."""

    def sizes(self, **options: Any) -> EncodingSizes:
        """Always the same."""
        batch = kernel.Batch
        return EncodingSizes(batch.ACTIONS, (batch.PLANES, _FRAME, _FRAME), batch.VECTOR, batch.PACKED, kernel.ROUNDS)

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
        """Games with the deck and variants of the options; rewards are what turns gain, or come at the end."""
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
        """Begin a game with a deal: 16 or more numbers of cards, or a line of them."""
        line = setup if isinstance(setup, str) else " ".join(str(card) for card in _cards(setup))
        batch.deal(game_index, [int(step.text) - 1 for step in read_deal(line)])

    def position_of(self, batch: kernel.Batch, game_index: int, **options: Any) -> Position:
        """The displays, with a card that lies already while its worker is still to be chosen."""
        draws = tuple(card + 1 for card in batch.draws(game_index))
        return Position(_deck(options), draws, tuple(batch.displays(game_index)))

    def start_position(self, batch: kernel.Batch, game_index: int, position: Position) -> None:
        """Begin a game with these displays and draws."""
        batch.set(game_index, list(position.boards), [card - 1 for card in position.draws])

    def position_after(self, batch: kernel.Batch, game_index: int, before: Position, ended: bool) -> Position | None:
        """The displays once all players have laid the card of the round."""
        if not ended and len(batch.draws(game_index)) == len(before.draws):
            return None
        return Position(before.deck, before.draws, tuple(batch.displays(game_index)))

    def chance_actions(self, position: Position, samples: int) -> list[int]:
        """Every card that has not been drawn, from 0."""
        return [card - 1 for card in position.unseen]

    def chance_step(self, position: Position, action: int) -> Step:
        """The card is drawn."""
        return Step(None, str(action + 1))

    def turn_code(self, position: Position, turn: Turn) -> int:
        """The kernel's number of a turn."""
        return turn.code

    def turn_actions(self, position: Position, player: int, turn: Turn) -> list[int]:
        """Where the card goes, then who comes or is lifted, then whereto."""
        left, top = position.boards[player].__getstate__()[1][:2]
        cell = cell_index(turn.cell)
        column, row = cell % 8, cell // 8
        x, y = _QUARTER_OF[turn.turning]
        found = [_FRAME * (2 * (row - top + 1) + y) + 2 * (column - left + 1) + x]
        left, top = min(left, column), min(top, row)
        for zone in (turn.source, turn.target):
            if zone is not None:
                x, y = zone_xy(zone)
                found.append(_FRAME * (y - 2 * top + 2) + x - 2 * left + 2)
        return found if len(found) > 1 else [*found, PASS]

    def unpack(self, packed: Any, **options: Any) -> tuple[Any, Any, Any]:
        """Planes, vector and mask of packed observations; for the face on the card the deck has to be known."""
        import numpy as np

        words = np.ascontiguousarray(packed, dtype="<u8").reshape(-1, kernel.Batch.PACKED)
        rows = len(words)
        bits = np.unpackbits(words.view(np.uint8).reshape(rows, -1, 8), axis=-1, bitorder="little")
        bits = bits.reshape(rows, kernel.Batch.PACKED, 64)
        cover, lo, hi, huts, one, two, four, is_open = (bits[:, word] for word in range(8))
        phase, card, supply, _, corner, lifted, left, top = words[:, 8].copy().view(np.uint8).reshape(rows, 8).T
        shape = np.zeros((rows, 64), np.uint8)
        lies = (phase == 1) | (phase == 2)
        for zone in (0, 1, 8, 9):
            shape[np.flatnonzero(lies), corner[lies] + zone] = 1
        up = np.zeros((rows, 64), np.uint8)
        up[np.flatnonzero(phase == 2), lifted[phase == 2]] = 1
        workers = one + 2 * two + 4 * four
        sets = (cover & ~(lo | hi) & 1, lo & ~hi & 1, hi & ~lo & 1, lo & hi, huts, workers, shape, up)
        planes = np.zeros((rows, 8, _FRAME, _FRAME), np.uint8)
        for plane, found in enumerate(sets):
            planes[:, plane, 2:, 2:] = found.reshape(rows, 8, 8)
        mask = np.zeros((rows, _FRAME, _FRAME), np.uint8)
        zones = lies[:, None, None] * is_open.reshape(rows, 8, 8)
        mask[:, 2:, 2:] = zones
        for row, cell in zip(*np.nonzero(is_open * (phase == 0)[:, None]), strict=True):
            y, x = 2 * (cell // 8 - int(top[row]) + 1), 2 * (cell % 8 - int(left[row]) + 1)
            mask[row, y : y + 2, x : x + 2] = 1
        passes = ((phase == 1) | (phase == 3)).astype(np.uint8)
        faces = np.array([_face(face) for face in _deck(options).grounds], np.uint8)
        vector = np.zeros((rows, kernel.Batch.VECTOR), np.uint8)
        at = np.arange(rows)
        vector[at, phase] = 1
        vector[:, 4:24] = faces[card]
        vector[at, 24 + card.astype(int)] = 1
        vector[:, 48:72] = bits[:, 9, :24]
        vector[:, 72] = supply
        vector[:, 73] = cover.sum(axis=1) // 4
        vector[:, 74:76] = bits[:, 9, 32:34]
        return planes, vector, np.concatenate([mask.reshape(rows, PASS), passes[:, None]], axis=1)


def _deck(options: Mapping[str, Any]) -> Deck:
    deck = options.get("deck") or Deck.default()
    return deck if isinstance(deck, Deck) else Deck(expect_list(deck, "deck"))


def _cards(setup: object) -> Iterable[object]:
    if not isinstance(setup, Iterable):
        raise InvalidInputError("a deal is a list of the numbers of cards")
    return setup


def _face(face: Iterable[tuple[str, bool]]) -> list[int]:
    return [int(flag) for landscape, hut in face for flag in (*(landscape == each for each in "FWTR"), hut)]
