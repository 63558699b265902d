"""The arena: bots play games on the same setups in all seats, and are compared with confidence intervals."""

from limina.arena.game import GameResult, GameTask, play_game
from limina.arena.report import Report
from limina.arena.run import run
from limina.arena.schedule import Plan

__all__ = ["GameResult", "GameTask", "Plan", "Report", "play_game", "run"]
