"""The arena: bots play the same setups in every seat, and the differences are counted with their intervals."""

from limina.arena.match import Job, Played, play_game
from limina.arena.plan import Plan
from limina.arena.report import Report
from limina.arena.run import run

__all__ = ["Job", "Plan", "Played", "Report", "play_game", "run"]
