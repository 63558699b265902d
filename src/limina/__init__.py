"""limina, the home of two board games about borders.

`game` returns a game by its name. Positions are immutable, and playing a turn returns a new one:

>>> import random, limina
>>> game = limina.game("limes")
>>> position = game.start(players=1)
>>> position = position.apply(position.draw_chance_step(random.Random(7)))
>>> position = position.play("d4r0 +nw")
>>> position.round
1
"""

from limina.core.game import Game
from limina.core.position import Outcome, Position, Step
from limina.core.record import Record
from limina.core.registry import game, game_names
from limina.errors import IllegalTurnError, InvalidInputError, LiminaError

__all__ = [
    "Game",
    "IllegalTurnError",
    "InvalidInputError",
    "LiminaError",
    "Outcome",
    "Position",
    "Record",
    "Step",
    "__version__",
    "game",
    "game_names",
]


def __getattr__(name: str) -> str:
    # Looked up lazily: reading the metadata takes longer than importing the package.
    if name == "__version__":
        from importlib.metadata import version

        return version("limina")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
