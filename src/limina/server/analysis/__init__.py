"""Looking back at finished games and hints in running ones: beside the event loop, one at a time."""

from limina.server.analysis.hints import Hints
from limina.server.analysis.reviews import Reviews

__all__ = ["Hints", "Reviews"]
