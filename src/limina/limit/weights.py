"""The weights file of the bots' evaluation, which estimates the win probability of each player."""

from pathlib import Path

from limina._kernel import limit as kernel
from limina.gamekit.weights import WeightsFile

WEIGHTS = WeightsFile("limit", Path(__file__).with_name("weights.bin"), kernel.Weights.from_bytes)
