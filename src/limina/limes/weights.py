"""The learned values: what a display will be worth at the end."""

from pathlib import Path

from limina._kernel import limes as kernel
from limina.gamekit.weights import WeightsFile

VALUES = WeightsFile("limes", Path(__file__).with_name("weights.bin"), kernel.Values.read)
