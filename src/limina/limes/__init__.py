"""Limes, by Martyn F: lay 16 cards into a 4x4 landscape and put workers to work."""

from limina.limes.decks.deck import Deck
from limina.limes.display import Display, WorkerScore
from limina.limes.notation import Turn
from limina.limes.position import Position
from limina.limes.position_string import parse_position

__all__ = ["Deck", "Display", "Position", "Turn", "WorkerScore", "parse_position"]
