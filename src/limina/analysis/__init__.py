"""Looking back at a game: what each turn was worth, what would have been better, and why."""

from limina.analysis.hint import Hint, hint
from limina.analysis.review import TurnReview, analyze, evaluate_turn
from limina.analysis.summary import Summary

__all__ = ["Hint", "Summary", "TurnReview", "analyze", "evaluate_turn", "hint"]
