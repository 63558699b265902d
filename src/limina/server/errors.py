"""Errors of the server, and their codes in the API."""

from __future__ import annotations

from typing import Literal

from limina.errors import IllegalTurnError, LiminaError
from limina.isolated.protocol import ErrorStatus

ErrorCode = Literal[
    ErrorStatus,  # the server uses the codes of the subprocesses too
    "stale",  # the request is for another moment of the match
    "conflict",  # the idempotency key was used for another turn, or the seat is taken
    "forbidden",  # the seat is not the client's, or the request comes from another site
    "private",  # only players can see the match
    "not_found",
    "rate_limited",
]


class RefusedError(LiminaError):
    """A request that the server does not carry out."""

    def __init__(self, code: ErrorCode, message: str, *, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.retry_after = retry_after
        """Seconds to wait before a repeated request can succeed. None if that is unknown."""


class UnavailableError(LiminaError):
    """The database does not respond."""

    retry_after = 2
    """Seconds to wait before a repeated request."""


def error_code(error: LiminaError) -> ErrorCode:
    """Return the code of an error in the API."""
    if isinstance(error, RefusedError):
        return error.code
    if isinstance(error, UnavailableError):
        return "unavailable"
    return "illegal" if isinstance(error, IllegalTurnError) else "invalid"
