"""Checks of values that came from outside, with a sentence for whoever sent them."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any

from limina.errors import InvalidInputError


def json_type_name(value: object) -> str:
    """What a JSON value is, in a word.

    >>> json_type_name(None), json_type_name([1]), json_type_name(True)
    ('null', 'a list', 'true')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    names = {dict: "an object", list: "a list", str: "a text", int: "a number", float: "a number"}
    return names.get(type(value), "something else")


def quote_truncated(text: object, max_length: int = 40) -> str:
    """A value from outside, fit for one line of an error message.

    >>> quote_truncated("a" * 50)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'"
    """
    if isinstance(text, int) and not isinstance(text, bool) and abs(text) > 10**max_length:
        return "a huge number"
    if not isinstance(text, str | int | float) or isinstance(text, bool):
        return json_type_name(text)
    if isinstance(text, str) and len(text) > max_length:
        text = text[: max_length - 1] + "…"
    # ascii: what comes from outside may hold anything, and a terminal is to see none of it.
    shown = repr(text)
    return shown if shown.isprintable() and is_encodable(shown) else ascii(text)


def printable(text: str, max_length: int = 200) -> str:
    """A name from outside as it may be shown in a terminal: no controls, and not endless.

    >>> printable("Ada"), printable("\\x1b[31mEve"), len(printable("x" * 1000))
    ('Ada', '\\\\x1b[31mEve', 200)
    """
    if len(text) > max_length:
        text = text[: max_length - 1] + "…"
    return text if text.isprintable() and is_encodable(text) else ascii(text)[1:-1]


def is_encodable(text: str) -> bool:
    """Whether a text can be written as UTF-8: one with half a character in it cannot.

    >>> is_encodable("Ä"), is_encodable("\\ud800")
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def expect_list(value: object, what: str) -> list[Any]:
    """The value, if it is a list."""
    if not isinstance(value, list):
        raise InvalidInputError(f"{what} must be a list, not {json_type_name(value)}")
    return value


def expect_object(value: object, what: str) -> Mapping[str, Any]:
    """The value, if it is an object."""
    if not isinstance(value, dict):
        raise InvalidInputError(f"{what} must be an object, not {json_type_name(value)}")
    return value


def expect_str(value: object, what: str) -> str:
    """The value, if it is a text."""
    if not isinstance(value, str):
        raise InvalidInputError(f"{what} must be a text, not {json_type_name(value)}")
    return value


def expect_int(value: object, what: str, allowed: range) -> int:
    """The value, if it is a whole number within bounds."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise InvalidInputError(f"{what} must be a whole number, not {json_type_name(value)}")
    number = index(value)  # those of numerical libraries are not Python's
    if number not in allowed:
        raise InvalidInputError(f"{what} must be from {allowed[0]} to {allowed[-1]}, not {quote_truncated(number)}")
    return number


def expect_bool(value: object, what: str) -> bool:
    """The value, if it is true or false."""
    if not isinstance(value, bool):
        raise InvalidInputError(f"{what} must be true or false, not {json_type_name(value)}")
    return value


def reject_unknown_keys(value: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    """Refuse an object that says something nobody knows."""
    for key in value:
        if key not in known:
            raise InvalidInputError(f"{what} has no {quote_truncated(key)}: it may hold {', '.join(known)}")


def pluralize(number: int, word: str) -> str:
    """A number of things, with the word for one or for several.

    >>> pluralize(1, "game"), pluralize(3, "game")
    ('1 game', '3 games')
    """
    return f"{number} {word}{'' if number == 1 else 's'}"
