"""
The rules of limina's games. Use the packages above it; this is their engine room.
"""

from limina._kernel import limes as limes, limit as limit


class Stop:
    """A flag: a search that was given it ends at once when it is set."""

    def __init__(self) -> None: ...

    def set(self) -> None:
        """Set it. It stays set."""

    def is_set(self) -> bool:
        """Whether it was set."""
