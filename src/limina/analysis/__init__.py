"""Reviews of games: the value of each turn, better turns, and the reasons; and hints for running games."""

from limina.analysis.hint import Hint, hint
from limina.analysis.review import TurnReview, analyze, evaluate_turn
from limina.analysis.summary import ReviewSummary

__all__ = ["Hint", "ReviewSummary", "TurnReview", "analyze", "evaluate_turn", "hint"]
