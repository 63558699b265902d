"""Limes as a page shows it: displays, the card in hand, legal turns with their totals. Plain values only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from typing_extensions import TypedDict

from limina._kernel import limes as kernel
from limina.limes.decks.deck import turnings, write_face
from limina.limes.display import Display
from limina.limes.draw.scene import Profession
from limina.limes.notation import CELLS, QUARTERS, ZONES, Turn
from limina.limes.position import Position


class LimesWorker(TypedDict):
    """A worker with his points and what they are made of."""

    zone: str
    profession: Profession
    points: int
    scored: bool
    """Whether he is the one who scores in his territory."""
    territory: list[str]
    counted: list[list[str]]
    """A group of zones for each point."""


class LimesDisplay(TypedDict):
    """One player's display."""

    cards: int
    """How many cards lie in it."""
    zones: dict[str, str]
    """Each zone's landscape, F W T or R, with a * where a hut stands."""
    territories: list[list[str]]
    workers: list[LimesWorker]
    supply: int
    total: int


class LimesCard(TypedDict):
    """The card of the open round."""

    number: int
    turnings: list[list[str]]
    """Its zones nw ne sw se for each of the turnings r0 to r3."""


class LimesEnd(TypedDict):
    """How the game ended."""

    how: Literal["alone", "points", "tie-break", "shared"]
    winners: list[int]
    totals: list[int]
    rankings: list[list[int]]
    """For each player the points of the workers who score, best first: these break ties."""
    rating: str | None
    """The wording for a lone player's total."""


class LimesView(TypedDict):
    """What everybody may see."""

    round: int
    """How many rounds are complete."""
    rounds: int
    card: LimesCard | None
    deck: list[str]
    """All faces, card 1 first."""
    draws: list[int]
    """The cards drawn so far, in order."""
    unseen: list[int]
    displays: list[LimesDisplay | None]
    """Each player's display; in a replay, null where it is the same as in the frame before."""
    end: LimesEnd | None


class LimesLegal(TypedDict):
    """Every legal turn with the total it leads to."""

    cells: list[str]
    """Where the card may go."""
    turns: dict[str, dict[str, int]]
    """Cell and turning, `e4r1`, to worker actions (`` for none, `+nw`, `d4.se>e4.nw`), each to the total after it."""


class LimesPreview(TypedDict):
    """The display as the turn would leave it."""

    turn: str
    total: int
    display: LimesDisplay


class LimesPresenter:
    """What a page is told of a position of Limes."""

    types: Mapping[str, Any] = {"view": LimesView, "legal": LimesLegal, "preview": LimesPreview}

    def view(self, position: Position, before: Position | None = None) -> LimesView:
        """What everybody may see; displays that are the same as before are left out."""
        displays = [
            None if before is not None and before.boards[player] == board else display_state(board)
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
            "end": end_state(position),
        }

    def legal(self, position: Position, player: int) -> LimesLegal:
        """Every legal turn with the total it leads to."""
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
        """The player's display after the turn."""
        read = Turn.read(turn)
        board = position.play(read, player).boards[player]
        return {"turn": str(read), "total": board.total(), "display": display_state(board)}

    def scores(self, position: Position) -> list[int]:
        """The totals."""
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
    faces = turnings(position.deck.grounds[number - 1])
    return {"number": number, "turnings": [write_face(face).split() for face in faces]}


def display_state(board: kernel.Display) -> LimesDisplay:
    """One player's display, as a page is told of it."""
    display = Display(board)
    return {
        "cards": board.cards,
        "zones": {zone: ground.landscape + "*" * ground.hut for zone, ground in display.ground.items()},
        "territories": [[ZONES[zone] for zone in territory] for territory in board.territories()],
        "workers": [
            {
                "zone": worker.zone,
                "profession": worker.profession,
                "points": worker.points,
                "scored": worker.scored,
                "territory": list(worker.territory),
                "counted": [list(thing) for thing in worker.counted],
            }
            for worker in display.scores
        ],
        "supply": board.supply,
        "total": board.total(),
    }


def end_state(position: Position) -> LimesEnd | None:
    """How the game ended, if it did."""
    outcome = position.outcome
    if outcome is None:
        return None
    totals = [board.total() for board in position.boards]
    how: Literal["alone", "points", "tie-break", "shared"] = "points"
    if position.players == 1:
        how = "alone"
    elif len(outcome.winners) > 1:
        how = "shared"
    elif totals.count(max(totals)) > 1:
        how = "tie-break"
    return {
        "how": how,
        "winners": list(outcome.winners),
        "totals": totals,
        "rankings": [list(board.ranking()) for board in position.boards],
        "rating": position.rating,
    }
