"""Explanations of turns in sentences: who captures whom, and which groups lose or gain freedoms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from limina.core.message import TranslatableMessage
from limina.limit.illegal_turn_text import PLAYER_NAMES
from limina.limit.notation import Turn
from limina.limit.position import Position

_MAX_SENTENCES = 4
"""Maximum number of sentences about one turn."""
_FEW_FREEDOMS = 2
"""Groups with more freedoms are not mentioned when they lose one."""


class _Group(NamedTuple):
    """Pawns of one player with the same freedoms."""

    player: int
    pawns: tuple[str, ...]
    freedoms: tuple[str, ...]

    def __str__(self) -> str:
        owner = f"{PLAYER_NAMES[self.player]}'s"
        if len(self.pawns) == 1:
            return f"{owner} pawn on {self.pawns[0]}"
        return f"{owner} group of {len(self.pawns)} around {self.pawns[0]}"


class LimitExplainer:
    """Explains the effects of turns on pawns and their freedoms."""

    def explain(self, position: Position, player: int, played: Turn | None, best: Turn) -> list[str]:
        """Return sentences on the effects of the best turn, after those that only the played turn has."""
        best_effects = _effects(position, player, best)
        if played is None:
            return [_sentence(best, effect) for effect in best_effects][:_MAX_SENTENCES]
        played_effects = _effects(position, player, played)
        sentences = [_sentence(played, effect) for effect in played_effects if effect not in best_effects]
        best_sentences = [_sentence(best, effect) for effect in best_effects if effect not in played_effects]
        return sentences[:_MAX_SENTENCES] + best_sentences[:_MAX_SENTENCES]


def _sentence(turn: Turn, effect: TranslatableMessage) -> str:
    return TranslatableMessage(f"{turn} {effect}.", f"limit.{effect.key}", {"turn": str(turn), **effect.values})


def _effects(position: Position, player: int, turn: Turn) -> list[TranslatableMessage]:
    """Return the effects of a turn, each as the end of a sentence."""
    after = position.play(turn, player)
    effects = []
    outcome = after.outcome
    if outcome is not None:
        result = "lost" if player not in outcome.winners else "won" if len(outcome.winners) == 1 else "shared"
        effects.append(TranslatableMessage(f"ends the game: {outcome.reason}", result, {}))
    if after.last_turn is not None:
        for loser in range(position.players):
            lost = [tile for tile, owner in after.last_turn.captured if owner == loser]
            if lost:
                verb, key = ("gives up", "gives-up") if loser == player else ("captures", "captures")
                values: dict[str, str | int] = {"who": _pawn_word(loser), "tiles": ", ".join(sorted(lost))}
                effects.append(TranslatableMessage(f"{verb} {PLAYER_NAMES[loser]}'s {_pawns(lost)}", key, values))
    if outcome is None:
        effects += _freedom_effects(position, after, player)
    return effects


def _freedom_effects(before: Position, after: Position, player: int) -> list[TranslatableMessage]:
    """Return the groups that a turn leaves with few freedoms or saves, those of the player who moved last."""
    effects = []
    opponents = [owner for owner in range(before.players) if owner != player]
    for owner in (*opponents, player):
        counts_before = {pawn: len(before.freedoms(pawn)) for pawn in before.pawns(owner)}
        for group in _groups(after, owner):
            had = [counts_before[pawn] for pawn in group.pawns if pawn in counts_before]
            if not had:
                continue
            left = len(group.freedoms)
            tiles = ", ".join(group.pawns)
            values: dict[str, str | int] = {"who": _pawn_word(owner), "tiles": tiles, "n": left, "had": max(had)}
            if left <= _FEW_FREEDOMS and left < max(had):
                freedoms = ", ".join(group.freedoms)
                text = f"leaves {group} with {_count(left)} ({freedoms}), down from {max(had)}"
                effects.append(TranslatableMessage(text, "leaves", {**values, "where": freedoms}))
            elif min(had) == 1 and left > 1 and owner == player:
                text = f"saves {group}, which had one freedom left and now has {left}"
                effects.append(TranslatableMessage(text, "saves", values))
    return effects


def _pawn_word(player: int) -> str:
    """Return the message key of a player's pawns, as a value of `TranslatableMessage`."""
    return f":limit.pawn.{PLAYER_NAMES[player][0].upper()}"


def _groups(position: Position, player: int) -> list[_Group]:
    """Return a player's pawns, grouped by their freedoms."""
    pawns_by_freedoms: dict[tuple[str, ...], list[str]] = {}
    for pawn in position.pawns(player):
        pawns_by_freedoms.setdefault(position.freedoms(pawn), []).append(pawn)
    return [_Group(player, tuple(sorted(pawns)), freedoms) for freedoms, pawns in pawns_by_freedoms.items()]


def _count(freedoms: int) -> str:
    return "one freedom" if freedoms == 1 else f"{freedoms} freedoms"


def _pawns(tiles: Iterable[str]) -> str:
    names = sorted(tiles)
    return f"pawn on {names[0]}" if len(names) == 1 else f"pawns on {', '.join(names[:-1])} and {names[-1]}"
