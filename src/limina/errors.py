"""The two ways to be wrong, each said in one sentence for whoever was."""

from __future__ import annotations


class LiminaError(ValueError):
    """Something a player or a file got wrong, said in one sentence."""


class InvalidInputError(LiminaError):
    """The text is not in the notation at all."""


class IllegalTurnError(LiminaError):
    """The turn can be read, but the rules do not allow it here."""
