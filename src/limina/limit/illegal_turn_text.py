"""Sentences for players: the reason why a turn or a layout is illegal, and how a game ended."""

from __future__ import annotations

from collections.abc import Sequence

from limina._kernel.limit import IllegalTurnReason, LayoutProblem
from limina.limit.notation import Turn

PLAYER_NAMES = ("red", "blue", "yellow")

_TURN_SENTENCES = {
    IllegalTurnReason.GAME_OVER: "the game is over",
    IllegalTurnReason.NO_LAYOUT: "the tiles have not been laid out yet",
    IllegalTurnReason.INCOMPLETE_MOVE: "a pawn move needs the tile where it starts and the tile where it ends",
    IllegalTurnReason.NO_SUCH_TILE: "there is no such tile on the board",
    IllegalTurnReason.NO_PAWN_ON_SOURCE: "there is no pawn on {source}",
    IllegalTurnReason.ENEMY_PAWN: "the pawn on {source} is not yours",
    IllegalTurnReason.SOURCE_IS_TARGET: "the pawn must end on another tile than the one where it starts",
    IllegalTurnReason.TARGET_OCCUPIED: "there is already a pawn on {target}",
    IllegalTurnReason.TARGET_NOT_REACHABLE: "no path over empty tiles leads from {source} to {target}",
    IllegalTurnReason.MOVE_CAPTURES: "nothing may be captured on this first turn, and moving to {target} would",
    IllegalTurnReason.REMOVED_OCCUPIED: "{removed} cannot be removed: there is a pawn on it",
    IllegalTurnReason.NO_FREE_EDGE: "{removed} cannot be removed: that tile has no free edge",
    IllegalTurnReason.SPLITS_PAWNS: "removing {removed} would leave pawns in two separate groups of tiles",
    IllegalTurnReason.REMOVAL_CAPTURES: "nothing may be captured on this first turn, and removing {removed} would",
    IllegalTurnReason.MUST_REMOVE: "a tile can be removed after this move, so you must remove one",
    IllegalTurnReason.MOVE_ALLOWS_NO_REMOVAL: (
        "no tile can be removed after this move, so choose a move after which one can"
    ),
    IllegalTurnReason.MUST_MOVE: "a pawn can move, so you must move one",
    IllegalTurnReason.MUST_ACT: "you can still do something, so you cannot pass",
}

_LAYOUT_SENTENCES = {
    LayoutProblem.PLAYER_COUNT: "Limit is for two or three players",
    LayoutProblem.TILE_COUNT: "a layout has four times as many tiles as each player has pawns, 64 at most",
    LayoutProblem.INVALID_PLACE: "{tile} is not on the board: letters are a to z",
    LayoutProblem.INVALID_COLOR: "{tile} has no color: tiles are R, B, Y or K",
    LayoutProblem.DUPLICATE_PLACE: "the layout has two tiles on {tile}",
    LayoutProblem.UNEVEN_COLORS: "a layout has the same number of tiles of each color",
    LayoutProblem.FEWER_THAN_TWO_NEIGHBORS: "{tile} touches fewer than two other tiles",
    LayoutProblem.NOT_CONNECTED: "{tile} is not connected to the other tiles",
    LayoutProblem.SAME_COLOR_TOUCHES: "{tile} touches a tile of its own color",
    LayoutProblem.PAWN_WITHOUT_EMPTY_NEIGHBOR: "the pawn on {tile} touches no empty tile",
}


def illegal_turn_text(problem: IllegalTurnReason, turn: Turn) -> str:
    """Return the sentence that tells a player why a turn is illegal."""
    return _TURN_SENTENCES[problem].format(source=turn.source, target=turn.target, removed=turn.removed)


def illegal_layout_text(problem: LayoutProblem, tile: str | None) -> str:
    """Return the sentence that tells a player why a layout is illegal."""
    return _LAYOUT_SENTENCES[problem].format(tile=tile)


def outcome_text(winners: Sequence[int], pawns_left: bool) -> str:
    """Return how a game ended, in a sentence without capital and full stop."""
    names = [PLAYER_NAMES[player] for player in winners]
    if len(names) == 1:
        reason = "is the last with pawns" if pawns_left else "wins, as the last turn captured all pawns on the board"
        return f"{names[0]} {reason}"
    shared = f"{', '.join(names[:-1])} and {names[-1]} share the win"
    reason = "the position was repeated" if pawns_left else "the last turn captured all pawns on the board"
    return f"{shared}: {reason}"
