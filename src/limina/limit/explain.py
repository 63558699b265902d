"""Why one turn is better than another, in words: who captures whom, and which group lost its freedom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from limina.core.message import TranslatableMessage
from limina.limit.illegal_turn_text import PLAYER_NAMES
from limina.limit.notation import Turn
from limina.limit.position import Position

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


class LimitExplainer:
    """Says what turns do to pawns and their freedoms."""

    def explain(self, position: Position, player: int, played: Turn | None, best: Turn) -> list[str]:
        """Sentences on what the best turn does, and on what the turn played does instead."""
        good, good_facts = _facts(position, player, best)
        if played is None:
            return [_said(good, fact) for fact in good_facts][:MOST]
        poor, poor_facts = _facts(position, player, played)
        said = [_said(poor, fact) for fact in poor_facts if fact not in good_facts][:MOST]
        said += [_said(good, fact) for fact in good_facts if fact not in poor_facts][:MOST]
        return said


def _said(turn: str, fact: TranslatableMessage) -> str:
    return TranslatableMessage(f"{turn} {fact}.", f"limit.{fact.key}", {"turn": turn, **fact.values})


def _facts(position: Position, player: int, turn: Turn) -> tuple[str, list[TranslatableMessage]]:
    """What a turn does, each fact as the end of a sentence."""
    after = position.play(turn, player)
    facts = []
    outcome = after.outcome
    if outcome is not None:
        how = "lost" if player not in outcome.winners else "won" if len(outcome.winners) == 1 else "shared"
        facts.append(TranslatableMessage(f"ends the game: {outcome.reason}", how, {}))
    if after.happened is not None:
        for loser in range(position.players):
            lost = [tile for tile, owner in after.happened.captured if owner == loser]
            if lost:
                verb, key = ("gives up", "gives-up") if loser == player else ("captures", "captures")
                lost_ones: dict[str, str | int] = {"who": _word(loser), "tiles": ", ".join(sorted(lost))}
                facts.append(TranslatableMessage(f"{verb} {PLAYER_NAMES[loser]}'s {_pawns(lost)}", key, lost_ones))
    if outcome is None:
        facts += _freedoms(position, after, player)
    return str(turn), facts


def _freedoms(before: Position, after: Position, player: int) -> list[TranslatableMessage]:
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
            tiles = ", ".join(group.pawns)
            values: dict[str, str | int] = {"who": _word(each), "tiles": tiles, "n": left, "had": max(had)}
            if left <= FEW and left < max(had):
                where = ", ".join(group.freedoms)
                text = f"leaves {group} with {_count(left)} ({where}), down from {max(had)}"
                facts.append(TranslatableMessage(text, "leaves", {**values, "where": where}))
            elif min(had) == 1 and left > 1 and each == player:
                text = f"saves {group}, which had one freedom left and now has {left}"
                facts.append(TranslatableMessage(text, "saves", values))
    return facts


def _word(player: int) -> str:
    """The name of a player's pawns, as a page looks it up."""
    return f":limit.pawn.{PLAYER_NAMES[player][0].upper()}"


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
