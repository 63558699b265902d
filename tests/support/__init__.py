"""Helpers that the tests of all packages share."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The root folder of the repository."""
THIRD_PARTY_GAMES = ROOT / "tests" / "third_party"
"""The folder with the installed third-party game packages."""
