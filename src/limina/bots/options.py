"""Bots with options: `master@milliseconds=100` is the master that thinks for a tenth of a second."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from limina.core.validation import quote_truncated
from limina.errors import InvalidInputError

Value = bool | int | float | str
_SHAPE = re.compile(r"(.+?)@(\w+=[^@,]*(?:,\w+=[^@,]*)*)", re.DOTALL)
_OURS = ("seed", "threads")
"""What whoever runs a game decides, not whoever names a bot."""


def split(name: str) -> tuple[str, dict[str, Value]]:
    """A bot's name without its options, and these.

    >>> split("master@milliseconds=100,rollouts=5000")
    ('master', {'milliseconds': 100, 'rollouts': 5000})
    >>> split("./me@home.py:Mine")
    ('./me@home.py:Mine', {})
    """
    found = _SHAPE.fullmatch(name)
    if found is None:
        return name, {}
    pairs = (word.partition("=") for word in found[2].split(","))
    return found[1], {key: _value(word) for key, _, word in pairs}


def _value(word: str) -> Value:
    if word in ("yes", "no", "true", "false"):
        return word in ("yes", "true")
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            pass
    return word


def check(make: Callable[..., Any], name: str, options: Mapping[str, Value]) -> None:
    """Refuse options that whatever makes the bot does not take, and values of another kind."""
    if not options:
        return
    parameters = inspect.signature(make).parameters.values()
    known = {
        each.name: each
        for each in parameters
        if each.kind in (each.KEYWORD_ONLY, each.POSITIONAL_OR_KEYWORD) and each.name not in _OURS
    }
    takes_any = any(each.kind is each.VAR_KEYWORD for each in parameters)
    for key, value in options.items():
        if key in known:
            _check_number(name, known[key], value)
        elif not takes_any or key in _OURS:
            said = f"it has {', '.join(known)}" if known else "it has none"
            raise InvalidInputError(f"the bot {quote_truncated(name)} has no option {quote_truncated(key)}: {said}")


def _check_number(name: str, option: inspect.Parameter, value: Value) -> None:
    """Numbers are counts and times here: more than nothing, and whole where the usual one must be."""
    usual = option.default
    if isinstance(usual, bool) or not isinstance(usual, int | float):
        return
    whole = isinstance(usual, int) and option.annotation not in (float, "float")
    kinds: tuple[type, ...] = (int,) if whole else (int, float)
    if isinstance(value, bool | str) or not isinstance(value, kinds) or not 0 < value < inf:
        kind = "a whole number above 0" if whole else "a number above 0"
        raise InvalidInputError(
            f"the option {option.name} of the bot {quote_truncated(name)} is {kind}, not {quote_truncated(str(value))}"
        )


def accepted(maker: Any, values: dict[str, int]) -> dict[str, int]:
    """Those of the values that the maker takes by name."""
    try:
        known = inspect.signature(maker).parameters.values()
    except (TypeError, ValueError):  # written in C: it does not say
        return {}
    if any(each.kind is each.VAR_KEYWORD for each in known):
        return values
    names = {each.name for each in known if each.kind in (each.KEYWORD_ONLY, each.POSITIONAL_OR_KEYWORD)}
    return {name: value for name, value in values.items() if name in names}
