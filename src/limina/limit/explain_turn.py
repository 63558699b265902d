"""Why one turn is better than another, in words: who captures whom, and which group lost its freedom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from limina.limit.notation import Turn
from limina.limit.position import Position
from limina.limit.words import PLAYER_NAMES

MOST = 4
FEW = 2
"""Freedoms that are worth a word."""


class _Group(NamedTuple):
    """Pawns of one player with the same freedoms."""

    player: int
    pawns: tuple[str, ...]
    freedoms: tuple[str, ...]

    def __str__(self) -> str:
        whose = f"{PLAYER_NAMES[self.player]}'s"
        if len(self.pawns) == 1:
            return f"{whose} pawn on {self.pawns[0]}"
        return f"{whose} group of {len(self.pawns)} around {self.pawns[0]}"


def explain(position: Position, player: int, played: object | None, best: object) -> list[str]:
    """Sentences on what the best turn does, and on what the turn played does instead."""
    good, good_facts = _facts(position, player, best)
    if played is None:
        return [f"{good} {fact}." for fact in good_facts][:MOST]
    poor, poor_facts = _facts(position, player, played)
    said = [f"{poor} {fact}." for fact in poor_facts if fact not in good_facts][:MOST]
    said += [f"{good} {fact}." for fact in good_facts if fact not in poor_facts][:MOST]
    return said


def _facts(position: Position, player: int, turn: object) -> tuple[str, list[str]]:
    """What a turn does, each fact as the end of a sentence."""
    assert isinstance(turn, str | Turn)
    after = position.play(turn, player)
    facts = []
    outcome = after.outcome
    if outcome is not None:
        facts.append(f"ends the game: {outcome.reason}")
    if after.happened is not None:
        for loser in range(position.players):
            lost = [tile for tile, owner in after.happened.captured if owner == loser]
            if lost:
                verb = "gives up" if loser == player else "captures"
                facts.append(f"{verb} {PLAYER_NAMES[loser]}'s {_pawns(lost)}")
    if outcome is None:
        facts += _freedoms(position, after, player)
    return str(turn), facts


def _freedoms(before: Position, after: Position, player: int) -> list[str]:
    """The groups that a turn leaves with few freedoms, and those that it frees; the mover's own last."""
    facts = []
    rivals = [each for each in range(before.players) if each != player]
    for each in (*rivals, player):
        known = {pawn: len(before.freedoms(pawn)) for pawn in before.pawns(each)}
        for group in _groups(after, each):
            had = [known[pawn] for pawn in group.pawns if pawn in known]
            if not had:
                continue
            left = len(group.freedoms)
            if left <= FEW and left < max(had):
                facts.append(f"leaves {group} with {_count(left)} ({', '.join(group.freedoms)}), down from {max(had)}")
            elif min(had) == 1 and left > 1 and each == player:
                facts.append(f"saves {group}, which had one freedom left and now has {left}")
    return facts


def _groups(position: Position, player: int) -> list[_Group]:
    """A player's pawns, those with the same freedoms together."""
    found: dict[tuple[str, ...], list[str]] = {}
    for pawn in position.pawns(player):
        found.setdefault(position.freedoms(pawn), []).append(pawn)
    return [_Group(player, tuple(sorted(pawns)), freedoms) for freedoms, pawns in found.items()]


def _count(freedoms: int) -> str:
    return "one freedom" if freedoms == 1 else f"{freedoms} freedoms"


def _pawns(tiles: Iterable[str]) -> str:
    named = sorted(tiles)
    return f"pawn on {named[0]}" if len(named) == 1 else f"pawns on {', '.join(named[:-1])} and {named[-1]}"
