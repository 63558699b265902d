"""Errors with a sentence for the user."""

from __future__ import annotations


class LiminaError(ValueError):
    """An error whose text is one sentence for the user, who can usually correct the cause."""


class InvalidInputError(LiminaError):
    """A text or value is not in the expected form."""


class IllegalTurnError(LiminaError):
    """A turn or step is in the right form, but the rules do not allow it here."""
