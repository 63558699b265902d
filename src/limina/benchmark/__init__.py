"""The benchmark: fixed setups with known results, a ladder of rated bots, and measurements of other bots."""

from limina.benchmark.dataset import play_training_games
from limina.benchmark.measure import Benchmark
from limina.benchmark.setups import Entry, load_entries

__all__ = ["Benchmark", "Entry", "load_entries", "play_training_games"]
