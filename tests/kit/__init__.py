"""What tests of all rooms share."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The project's folder."""
STRANGER = ROOT / "tests" / "stranger"
"""Where the package of a stranger's game is installed."""
