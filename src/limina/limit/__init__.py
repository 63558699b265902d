"""Limit, by Cameron Browne: move a pawn, remove a tile, suffocate the enemy."""

from limina.limit.line import position
from limina.limit.notation import Turn
from limina.limit.position import Position

__all__ = ["Position", "Turn", "position"]
