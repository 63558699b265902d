"""What the kernel's reasons mean, in words that a player understands."""

from __future__ import annotations

from collections.abc import Sequence

from limina._kernel.limit import LayoutProblem, Problem
from limina.limit.notation import Turn

PLAYER_NAMES = ("red", "blue", "yellow")

_WHY = {
    Problem.GAME_OVER: "the game is over",
    Problem.NOT_LAID: "the tiles have not been laid yet",
    Problem.INCOMPLETE: "a pawn move needs the tile it begins on and the tile it ends on",
    Problem.NO_SUCH_TILE: "there is no such tile on the table",
    Problem.NO_PAWN: "no pawn stands on {source}",
    Problem.ENEMY_PAWN: "the pawn on {source} is not yours",
    Problem.SAME_TILE: "the pawn must end on another tile than it began",
    Problem.OCCUPIED: "a pawn stands on {target} already",
    Problem.NOT_REACHABLE: "no way over empty tiles leads from {source} to {target}",
    Problem.MOVE_CAPTURES: "nothing may be captured on this first turn, and moving to {target} would",
    Problem.REMOVED_OCCUPIED: "a pawn stands on {removed}",
    Problem.NO_FREE_EDGE: "{removed} cannot be removed: that tile has no free edge",
    Problem.SPLITS_PAWNS: "removing {removed} would leave pawns in two separate groups of tiles",
    Problem.REMOVAL_CAPTURES: "nothing may be captured on this first turn, and removing {removed} would",
    Problem.MUST_REMOVE: "a tile can be removed after this move, so one must be",
    Problem.MOVE_ALLOWS_NO_REMOVAL: "after this move no tile could be removed, and after another one could",
    Problem.MUST_MOVE: "a pawn can be moved, so one must be",
    Problem.NOTHING: "something can be done, so it must be",
}

_WHY_NOT_LAID = {
    LayoutProblem.PLAYERS: "Limit is for two or three players",
    LayoutProblem.COUNT: "a layout has four times as many tiles as each player has pawns, 64 at most",
    LayoutProblem.PLACE: "{tile} is not a place: letters are a to z",
    LayoutProblem.COLOUR: "{tile} has no color: tiles are R, B, Y or K",
    LayoutProblem.DUPLICATE: "two tiles lie on {tile}",
    LayoutProblem.COLOUR_COUNT: "there must be as many tiles of each color as of the others",
    LayoutProblem.TOUCHES_FEWER: "{tile} touches fewer than two other tiles",
    LayoutProblem.NOT_CONNECTED: "{tile} is not connected with the other tiles",
    LayoutProblem.SAME_COLOUR_TOUCH: "{tile} touches a tile of its own color",
    LayoutProblem.PAWN_WITHOUT_EMPTY: "the pawn on {tile} touches no empty tile",
}


def why_not(problem: Problem, turn: Turn) -> str:
    """The sentence for an illegal turn."""
    return _WHY[problem].format(source=turn.source, target=turn.target, removed=turn.removed)


def why_not_laid(problem: LayoutProblem, tile: str | None) -> str:
    """The sentence for a layout that is refused."""
    return _WHY_NOT_LAID[problem].format(tile=tile)


def how_it_ended(winners: Sequence[int], pawns_left: bool) -> str:
    """The end of a game in a sentence."""
    names = [PLAYER_NAMES[player] for player in winners]
    if len(names) == 1:
        why = "is the last with pawns" if pawns_left else "wins, as the last turn captured every pawn on the table"
        return f"{names[0]} {why}"
    shared = f"{', '.join(names[:-1])} and {names[-1]} share the win"
    why = "the position came back" if pawns_left else "the last turn captured every pawn on the table"
    return f"{shared}: {why}"
