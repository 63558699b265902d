"""The benchmark: fixed setups with what is known of them, a ladder of bots, and what another bot reaches there."""

from limina.benchmark.dataset import games_played
from limina.benchmark.measure import Benchmark
from limina.benchmark.setups import Entry, entries

__all__ = ["Benchmark", "Entry", "entries", "games_played"]
