"""What a page is told of Limit, counted once more by hand."""

from __future__ import annotations

from random import Random
from typing import Any

from limina.core import registry
from limina.core.presenter import presenter_of
from reference.limit import flood, touching
from support.games.records import start_record


def last_freedoms(tiles: dict[str, str], pawns: list[list[str]]) -> dict[str, str]:
    """For each pawn whose group has one freedom left, that freedom."""
    occupied = {pawn for own in pawns for pawn in own}
    found = {}
    for own in pawns:
        for pawn in own:
            near = {tile for member in flood(pawn, set(own)) for tile in touching(member)}
            free = near & set(tiles) - occupied
            if len(free) == 1:
                found[pawn] = free.pop()
    return found


def told(groups: list[Any]) -> dict[str, str]:
    return {pawn: group["freedoms"][0] for group in groups for pawn in group["pawns"]}


def test_danger_is_told_at_every_step_of_a_turn() -> None:
    presenter = presenter_of(registry.game("limit"))
    chance, seen = Random(7), 0
    for players in (2, 3):
        position: Any = start_record(registry.game("limit"), ["player"] * players, chance).end
        while position.outcome is None:
            seat = position.to_move[0]
            turn = chance.choice(list(position.legal_turns()))
            half = presenter.preview(position, seat, str(turn).split(" ")[0])
            after = presenter.view(position.play(turn, seat))
            if not half["complete"]:
                assert told(half["danger"]) == last_freedoms(half["tiles"], half["pawns"])
                assert half["removals"][turn.removed]["danger"] == after["danger"]
                seen += len(half["danger"])
            assert told(after["danger"]) == last_freedoms(after["tiles"], after["pawns"])
            position = position.play(turn, seat)
    assert seen > 0
