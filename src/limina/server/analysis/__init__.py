"""Replays, pictures, reviews of finished games and hints in running ones."""

from limina.server.analysis.hints import Hints
from limina.server.analysis.renders import Renders
from limina.server.analysis.reviews import Reviews
from limina.server.analysis.subprocess_pool import SubprocessPool

__all__ = ["Hints", "Renders", "Reviews", "SubprocessPool"]
