"""The arena: bots play the same setups in every seat, and the differences are counted with their intervals."""

from limina.arena.game import Job, Played, play_game
from limina.arena.report import Report
from limina.arena.run import run
from limina.arena.schedule import Plan

__all__ = ["Job", "Plan", "Played", "Report", "play_game", "run"]
