"""Validate values from outside. Errors are sentences for the sender."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any

from limina.errors import InvalidInputError


def json_type_name(value: object) -> str:
    """Return the type of a JSON value, or the value itself if it is null, true or false, for an error message.

    >>> json_type_name(None), json_type_name([1]), json_type_name(True)
    ('null', 'a list', 'true')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    names = {dict: "an object", list: "a list", str: "a string", int: "a number", float: "a number"}
    return names.get(type(value), "something else")


def quote_truncated(text: object, max_length: int = 40) -> str:
    """Return a value from outside so that it fits into one line of an error message.

    >>> quote_truncated("a" * 50)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'"
    """
    if isinstance(text, int) and not isinstance(text, bool) and abs(text) > 10**max_length:
        return "a huge number"
    if not isinstance(text, str | int | float) or isinstance(text, bool):
        return json_type_name(text)
    if isinstance(text, str) and len(text) > max_length:
        text = text[: max_length - 1] + "…"
    # Escape control characters, which a terminal would obey.
    quoted = repr(text)
    return quoted if quoted.isprintable() and is_encodable(quoted) else ascii(text)


def printable(text: str, max_length: int = 200) -> str:
    """Return a name from outside for a terminal: truncated, and with control characters escaped.

    >>> printable("Ada"), printable("\\x1b[31mEve"), len(printable("x" * 1000))
    ('Ada', '\\\\x1b[31mEve', 200)
    """
    if len(text) > max_length:
        text = text[: max_length - 1] + "…"
    return text if text.isprintable() and is_encodable(text) else ascii(text)[1:-1]


def is_encodable(text: str) -> bool:
    """Return True if a text can be encoded as UTF-8. Lone surrogates cannot.

    >>> is_encodable("Ä"), is_encodable("\\ud800")
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def expect_list(value: object, what: str) -> list[Any]:
    """Return the value if it is a list, else raise InvalidInputError."""
    if not isinstance(value, list):
        raise InvalidInputError(f"{what} must be a list, not {json_type_name(value)}")
    return value


def expect_object(value: object, what: str) -> Mapping[str, Any]:
    """Return the value if it is a JSON object, else raise InvalidInputError."""
    if not isinstance(value, dict):
        raise InvalidInputError(f"{what} must be an object, not {json_type_name(value)}")
    return value


def expect_str(value: object, what: str) -> str:
    """Return the value if it is a string, else raise InvalidInputError."""
    if not isinstance(value, str):
        raise InvalidInputError(f"{what} must be a string, not {json_type_name(value)}")
    return value


def expect_int(value: object, what: str, allowed: range) -> int:
    """Return the value as an int if it is a whole number in the range, else raise InvalidInputError."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise InvalidInputError(f"{what} must be a whole number, not {json_type_name(value)}")
    number = index(value)  # converts the integers of NumPy, for example
    if number not in allowed:
        raise InvalidInputError(f"{what} must be from {allowed[0]} to {allowed[-1]}, not {quote_truncated(number)}")
    return number


def expect_bool(value: object, what: str) -> bool:
    """Return the value if it is true or false, else raise InvalidInputError."""
    if not isinstance(value, bool):
        raise InvalidInputError(f"{what} must be true or false, not {json_type_name(value)}")
    return value


def reject_unknown_keys(value: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    """Raise InvalidInputError if an object has a key that is not known."""
    for key in value:
        if key not in known:
            raise InvalidInputError(f"{what} has no {quote_truncated(key)}: it may hold {', '.join(known)}")


def pluralize(number: int, noun: str) -> str:
    """Return a number with a noun in the singular or plural.

    >>> pluralize(1, "game"), pluralize(3, "game")
    ('1 game', '3 games')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"
