"""The learned weights, which predict the points of a display at the end of the game."""

from pathlib import Path

from limina._kernel import limes as kernel
from limina.gamekit.weights import WeightsFile

WEIGHTS = WeightsFile("limes", Path(__file__).with_name("weights.bin"), kernel.Weights.from_bytes)
