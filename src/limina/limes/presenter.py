"""Positions of Limes for web pages, as plain values: displays, the card of the round, legal turns with totals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from typing_extensions import TypedDict

from limina._kernel import limes as kernel
from limina.limes.decks.deck import face_rotations, write_face
from limina.limes.display import Display
from limina.limes.draw.scene import Profession
from limina.limes.notation import CELLS, QUARTERS, ZONES, Turn
from limina.limes.position import Position


class LimesWorker(TypedDict):
    """A worker and its points."""

    zone: str
    profession: Profession
    points: int
    scored: bool
    """True for the one worker that scores in the territory."""
    territory: list[str]
    """The zones of the worker's territory."""
    counted: list[list[str]]
    """A group of zones for each point that the worker counts."""


class LimesDisplay(TypedDict):
    """One player's display."""

    cards: int
    """The number of cards."""
    zones: dict[str, str]
    """The landscape of each zone, F W T or R, with a * for a hut."""
    territories: list[list[str]]
    """The zones of each territory."""
    workers: list[LimesWorker]
    supply: int
    """The number of workers not yet placed."""
    total: int
    """The points of all scoring workers."""


class LimesCard(TypedDict):
    """The card of the open round."""

    number: int
    turnings: list[list[str]]
    """The zones nw ne sw se for each of the turnings r0 to r3."""


class LimesEnd(TypedDict):
    """The end of a game."""

    kind: Literal["alone", "points", "tie-break", "shared"]
    winners: list[int]
    totals: list[int]
    rankings: list[list[int]]
    """The points of each player's scoring workers, highest first. They break ties."""
    rating: str | None
    """The rating of a lone player's total, such as `good`."""


class LimesView(TypedDict):
    """A position. It contains nothing that a player may not see."""

    round: int
    """The number of complete rounds."""
    rounds: int
    """The number of rounds of a game."""
    card: LimesCard | None
    """The card of the open round; null between rounds."""
    deck: list[str]
    """All faces, card 1 first."""
    draws: list[int]
    """The cards drawn so far, in order."""
    unseen: list[int]
    """The cards not yet drawn."""
    displays: list[LimesDisplay | None]
    """The display of each player; in a replay, null if it is the same as in the frame before."""
    end: LimesEnd | None
    """The end of the game; null before it."""


class LimesLegal(TypedDict):
    """All legal turns of a player, with the totals after them."""

    cells: list[str]
    """The cells where the card may be laid."""
    turns: dict[str, dict[str, int]]
    """The worker actions for each cell and turning such as `e4r1`, and the total after each of them.

    An action is empty for none, or `+nw` or `d4.se>e4.nw`.
    """


class LimesPreview(TypedDict):
    """The display after a turn."""

    turn: str
    total: int
    display: LimesDisplay


class LimesPresenter:
    """Describes positions of Limes for web pages."""

    types: Mapping[str, Any] = {"view": LimesView, "legal": LimesLegal, "preview": LimesPreview}

    def view(self, position: Position, before: Position | None = None) -> LimesView:
        """Return the position. A display that is the same as in `before` is None."""
        displays = [
            None if before is not None and before.boards[player] == board else display_to_json(board)
            for player, board in enumerate(position.boards)
        ]
        return {
            "round": position.round,
            "rounds": kernel.ROUNDS,
            "card": _card(position),
            "deck": list(position.deck.faces),
            "draws": list(position.draws),
            "unseen": list(position.unseen),
            "displays": displays,
            "end": end_to_json(position),
        }

    def legal(self, position: Position, player: int) -> LimesLegal:
        """Return all legal turns of a player, with the totals after them."""
        cells: dict[str, None] = {}
        turns: dict[str, dict[str, int]] = {}
        if player in position.to_move:
            board, card = position.boards[player], position.deck.cards[position.draws[-1] - 1]
            for cell, turning, actions in board.placements(card):
                cells[CELLS[cell]] = None
                turns[f"{CELLS[cell]}r{turning}"] = {
                    _action(source, target): total for source, target, total in actions
                }
        return {"cells": list(cells), "turns": turns}

    def preview(self, position: Position, player: int, turn: str) -> LimesPreview:
        """Return the player's display after a turn. Raises LiminaError if the turn is illegal."""
        parsed = Turn.read(turn)
        board = position.play(parsed, player).boards[player]
        return {"turn": str(parsed), "total": board.total(), "display": display_to_json(board)}

    def scores(self, position: Position) -> list[int]:
        """Return the total of each player."""
        return [board.total() for board in position.boards]


def _action(source: int | None, target: int | None) -> str:
    if target is None:
        return ""
    if source is None:
        return "+" + QUARTERS[target // 16 % 2 * 2 + target % 2]
    return f"{ZONES[source]}>{ZONES[target]}"


def _card(position: Position) -> LimesCard | None:
    number = position.card
    if number is None:
        return None
    faces = face_rotations(position.deck.parsed_faces[number - 1])
    return {"number": number, "turnings": [write_face(face).split() for face in faces]}


def display_to_json(board: kernel.Display) -> LimesDisplay:
    """Return a display as plain values."""
    display = Display(board)
    return {
        "cards": board.card_count,
        "zones": {zone: ground.landscape + "*" * ground.hut for zone, ground in display.ground.items()},
        "territories": [[ZONES[zone] for zone in territory] for territory in board.territories()],
        "workers": [
            {
                "zone": worker.zone,
                "profession": worker.profession,
                "points": worker.points,
                "scored": worker.scored,
                "territory": list(worker.territory),
                "counted": [list(zones) for zones in worker.counted],
            }
            for worker in display.scores
        ],
        "supply": board.supply,
        "total": board.total(),
    }


def end_to_json(position: Position) -> LimesEnd | None:
    """Return the end of the game as plain values; None before it."""
    outcome = position.outcome
    if outcome is None:
        return None
    totals = [board.total() for board in position.boards]
    kind: Literal["alone", "points", "tie-break", "shared"] = "points"
    if position.players == 1:
        kind = "alone"
    elif len(outcome.winners) > 1:
        kind = "shared"
    elif totals.count(max(totals)) > 1:
        kind = "tie-break"
    return {
        "kind": kind,
        "winners": list(outcome.winners),
        "totals": totals,
        "rankings": [list(board.tie_break_points()) for board in position.boards],
        "rating": position.rating,
    }
