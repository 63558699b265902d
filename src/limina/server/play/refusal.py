"""A request that the authority does not grant."""

from __future__ import annotations

from limina.errors import IllegalTurnError, LiminaError
from limina.server.schemas import ErrorCode
from limina.server.store import UnavailableError


class RefusedError(LiminaError):
    """What is wrong, in a sentence for a player and in a word for a program."""

    def __init__(self, code: ErrorCode, sentence: str, *, retry: int | None = None) -> None:
        super().__init__(sentence)
        self.code: ErrorCode = code
        self.retry = retry
        """After how many seconds it is worth to try again, where that is known."""


def code_of(error: LiminaError) -> ErrorCode:
    """The word for an error."""
    if isinstance(error, RefusedError):
        return error.code
    if isinstance(error, UnavailableError):
        return "unavailable"
    return "illegal" if isinstance(error, IllegalTurnError) else "unreadable"
