"""The learned values: what a display will be worth at the end."""

from pathlib import Path

from limina._kernel import limes as kernel
from limina.values import ValuesFile

VALUES = ValuesFile("limes", Path(__file__).with_name("values.bin"), kernel.Values.read)
