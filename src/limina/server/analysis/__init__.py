"""Looking at games: replays, reviews of finished ones and hints in running ones."""

from limina.server.analysis.hints import Hints
from limina.server.analysis.makers import Makers
from limina.server.analysis.readers import RecordReaders
from limina.server.analysis.reviews import Reviews

__all__ = ["Hints", "Makers", "RecordReaders", "Reviews"]
