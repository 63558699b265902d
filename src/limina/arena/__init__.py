"""The arena: bots play games on the same setups in all seats, and are compared with confidence intervals."""

from limina.arena.game import GameResult, GameTask, play_game
from limina.arena.report import ArenaReport
from limina.arena.run import run_arena
from limina.arena.schedule import ArenaPlan

__all__ = ["ArenaPlan", "ArenaReport", "GameResult", "GameTask", "play_game", "run_arena"]
