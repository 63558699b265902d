"""
The rules, searches and batches of limina's games. Internal: use the packages limes and limit.
"""

from limina._kernel import limes as limes, limit as limit


class CancelToken:
    """A flag that ends every search it was passed to when it is set."""

    def __init__(self) -> None: ...

    def cancel(self) -> None:
        """Set the flag. It cannot be reset."""

    def is_canceled(self) -> bool:
        """Return True if the flag is set."""
