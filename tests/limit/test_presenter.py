"""The presenter of Limit, compared with the plain rules of the reference."""

from __future__ import annotations

from random import Random
from typing import Any

from limina.core import registry
from limina.core.presenter import presenter_of
from reference.limit import flood, touching
from support.games.records import start_record


def last_freedoms(tiles: dict[str, str], pawns: list[list[str]]) -> dict[str, str]:
    """Return the freedom of each pawn whose group has one freedom."""
    occupied = {pawn for own in pawns for pawn in own}
    freedoms = {}
    for own in pawns:
        for pawn in own:
            near = {tile for member in flood(pawn, set(own)) for tile in touching(member)}
            free = near & set(tiles) - occupied
            if len(free) == 1:
                freedoms[pawn] = free.pop()
    return freedoms


def freedom_by_pawn(groups: list[Any]) -> dict[str, str]:
    return {pawn: group["freedoms"][0] for group in groups for pawn in group["pawns"]}


def test_groups_in_danger_are_shown_at_every_part_of_a_turn() -> None:
    presenter = presenter_of(registry.game("limit"))
    rng, group_count = Random(7), 0
    for players in (2, 3):
        position: Any = start_record(registry.game("limit"), ["player"] * players, rng).position
        while position.outcome is None:
            seat = position.to_move[0]
            turn = rng.choice(list(position.legal_turns()))
            after_move = presenter.preview(position, seat, str(turn).split(" ")[0])
            after = presenter.view(position.play(turn, seat))
            if not after_move["complete"]:
                assert freedom_by_pawn(after_move["danger"]) == last_freedoms(after_move["tiles"], after_move["pawns"])
                assert after_move["removals"][turn.removed]["danger"] == after["danger"]
                group_count += len(after_move["danger"])
            assert freedom_by_pawn(after["danger"]) == last_freedoms(after["tiles"], after["pawns"])
            position = position.play(turn, seat)
    assert group_count > 0
