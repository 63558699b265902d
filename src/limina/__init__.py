"""limina, the home of two board games about borders.

Every game is reached by its name, and a position is a value that never changes:

>>> import random, limina
>>> game = limina.game("limes")
>>> position = game.start(players=1)
>>> position = position.apply(position.chance(random.Random(7)))
>>> position = position.play("d4r0 +nw")
>>> position.round
1
"""

from limina.errors import IllegalTurnError, LiminaError, UnreadableError
from limina.games import game, names
from limina.position import Outcome, Position, Step
from limina.protocols import Game
from limina.record import Record

__all__ = [
    "Game",
    "IllegalTurnError",
    "LiminaError",
    "Outcome",
    "Position",
    "Record",
    "Step",
    "UnreadableError",
    "__version__",
    "game",
    "names",
]


def __getattr__(name: str) -> str:
    # The version is looked up when it is asked for: that takes longer than loading all the rest.
    if name == "__version__":
        from importlib.metadata import version

        return version("limina")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
