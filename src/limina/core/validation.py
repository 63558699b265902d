"""Checks of values that came from outside, with a sentence for whoever sent them."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any

from limina.errors import InvalidInputError


def kind(value: object) -> str:
    """What a JSON value is, in a word.

    >>> kind(None), kind([1]), kind(True)
    ('null', 'a list', 'true')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    names = {dict: "an object", list: "a list", str: "a text", int: "a number", float: "a number"}
    return names.get(type(value), "something else")


def short(text: object, most: int = 40) -> str:
    """A value from outside, fit for one line of an error message.

    >>> short("a" * 50)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'"
    """
    if isinstance(text, int) and not isinstance(text, bool) and abs(text) > 10**most:
        return "a huge number"
    if not isinstance(text, str | int | float) or isinstance(text, bool):
        return kind(text)
    if isinstance(text, str) and len(text) > most:
        text = text[: most - 1] + "…"
    # ascii: what comes from outside may hold anything, and a terminal is to see none of it.
    shown = repr(text)
    return shown if shown.isprintable() and encodable(shown) else ascii(text)


def printable(text: str, most: int = 200) -> str:
    """A name from outside as it may be shown in a terminal: no controls, and not endless.

    >>> printable("Ada"), printable("\\x1b[31mEve"), len(printable("x" * 1000))
    ('Ada', '\\\\x1b[31mEve', 200)
    """
    if len(text) > most:
        text = text[: most - 1] + "…"
    return text if text.isprintable() and encodable(text) else ascii(text)[1:-1]


def encodable(text: str) -> bool:
    """Whether a text can be written as UTF-8: one with half a character in it cannot.

    >>> encodable("Ä"), encodable("\\ud800")
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def a_list(value: object, what: str) -> list[Any]:
    """The value, if it is a list."""
    if not isinstance(value, list):
        raise InvalidInputError(f"{what} must be a list, not {kind(value)}")
    return value


def an_object(value: object, what: str) -> Mapping[str, Any]:
    """The value, if it is an object."""
    if not isinstance(value, dict):
        raise InvalidInputError(f"{what} must be an object, not {kind(value)}")
    return value


def a_text(value: object, what: str) -> str:
    """The value, if it is a text."""
    if not isinstance(value, str):
        raise InvalidInputError(f"{what} must be a text, not {kind(value)}")
    return value


def a_number(value: object, what: str, allowed: range) -> int:
    """The value, if it is a whole number within bounds."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise InvalidInputError(f"{what} must be a whole number, not {kind(value)}")
    number = index(value)  # those of numerical libraries are not Python's
    if number not in allowed:
        raise InvalidInputError(f"{what} must be from {allowed[0]} to {allowed[-1]}, not {short(number)}")
    return number


def a_flag(value: object, what: str) -> bool:
    """The value, if it is true or false."""
    if not isinstance(value, bool):
        raise InvalidInputError(f"{what} must be true or false, not {kind(value)}")
    return value


def only_keys(value: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    """Refuse an object that says something nobody knows."""
    for key in value:
        if key not in known:
            raise InvalidInputError(f"{what} has no {short(key)}: it may hold {', '.join(known)}")


def counted(number: int, word: str) -> str:
    """A number of things, with the word for one or for several.

    >>> counted(1, "game"), counted(3, "game")
    ('1 game', '3 games')
    """
    return f"{number} {word}{'' if number == 1 else 's'}"
