"""What the server does not do, and why: in a sentence for a player and in a word for a program. Known by all rooms."""

from __future__ import annotations

from typing import Literal

from limina.errors import IllegalTurnError, LiminaError
from limina.isolated.protocol import ErrorStatus

ErrorCode = Literal[
    ErrorStatus,  # what a subprocess refuses, and the server for the same reasons
    "stale",  # the turn was made for another moment of the game
    "conflict",  # the key of a turn was used for another turn; a seat is taken
    "forbidden",  # the seat is not yours
    "private",  # the game is for its players alone
    "not_found",
    "rate_limited",
]


class RefusedError(LiminaError):
    """A request that is not granted."""

    def __init__(self, code: ErrorCode, sentence: str, *, retry_after: int | None = None) -> None:
        super().__init__(sentence)
        self.code: ErrorCode = code
        self.retry_after = retry_after
        """After how many seconds it is worth to try again, where that is known."""


class UnavailableError(LiminaError):
    """The database does not answer."""

    retry_after = 2
    """After how many seconds it is worth to try again."""


def error_code(error: LiminaError) -> ErrorCode:
    """The word for an error."""
    if isinstance(error, RefusedError):
        return error.code
    if isinstance(error, UnavailableError):
        return "unavailable"
    return "illegal" if isinstance(error, IllegalTurnError) else "invalid"
