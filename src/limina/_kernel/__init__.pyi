"""
The rules of limina's games. Use the packages above it; this is their engine room.
"""

from limina._kernel import limes as limes, limit as limit


class Stop:
    """A bell: a search that was given it ends at once when it is rung."""

    def __init__(self) -> None: ...

    def set(self) -> None:
        """Ring it. It stays rung."""

    def is_set(self) -> bool:
        """Whether it was rung."""
