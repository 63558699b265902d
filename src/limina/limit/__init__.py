"""Limit, a game by Cameron Browne: move a pawn, remove a tile, capture the enemy's pawns."""

from limina.limit.notation import Turn
from limina.limit.position import Position
from limina.limit.position_string import parse_position

__all__ = ["Position", "Turn", "parse_position"]
