"""Helpers that the tests of all packages share."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The project's folder."""
THIRD_PARTY_GAMES = ROOT / "tests" / "third_party"
"""The folder with the installed third-party game packages."""
