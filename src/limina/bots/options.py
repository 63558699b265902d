"""Options in bot names: `master@milliseconds=100` is the bot `master` that thinks for 100 ms."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from limina.core.validation import quote_truncated
from limina.errors import InvalidInputError

Value = bool | int | float | str
_NAME_WITH_OPTIONS = re.compile(r"(.+?)@(\w+=[^@,]*(?:,\w+=[^@,]*)*)", re.DOTALL)
_RUNNER_OPTIONS = ("seed", "threads")
"""Parameters that the caller sets. They cannot be part of a bot's name."""


def split_options(name: str) -> tuple[str, dict[str, Value]]:
    """Return the name of a bot without its options, and the options.

    >>> split_options("master@milliseconds=100,rollouts=5000")
    ('master', {'milliseconds': 100, 'rollouts': 5000})
    >>> split_options("./bots@home.py:Mine")
    ('./bots@home.py:Mine', {})
    """
    match = _NAME_WITH_OPTIONS.fullmatch(name)
    if match is None:
        return name, {}
    pairs = (option.partition("=") for option in match[2].split(","))
    return match[1], {key: _parse_value(text) for key, _, text in pairs}


def _parse_value(text: str) -> Value:
    if text in ("yes", "no", "true", "false"):
        return text in ("yes", "true")
    for number_type in (int, float):
        try:
            return number_type(text)
        except ValueError:
            pass
    return text


def check_options(factory: Callable[..., Any], name: str, options: Mapping[str, Value]) -> None:
    """Raise InvalidInputError if the factory of a bot does not accept these options."""
    if not options:
        return
    parameters = inspect.signature(factory).parameters.values()
    known = {
        parameter.name: parameter
        for parameter in parameters
        if _is_named(parameter) and parameter.name not in _RUNNER_OPTIONS
    }
    accepts_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)
    for key, value in options.items():
        if key in known:
            _check_number(name, known[key], value)
        elif not accepts_any or key in _RUNNER_OPTIONS:
            choices = f"it has {', '.join(known)}" if known else "it has none"
            raise InvalidInputError(f"the bot {quote_truncated(name)} has no option {quote_truncated(key)}: {choices}")


def _check_number(name: str, option: inspect.Parameter, value: Value) -> None:
    """Raise InvalidInputError unless the value of a numeric option is positive, and whole if its default is."""
    default = option.default
    if isinstance(default, bool) or not isinstance(default, int | float):
        return
    must_be_whole = isinstance(default, int) and option.annotation not in (float, "float")
    number_types: tuple[type, ...] = (int,) if must_be_whole else (int, float)
    if isinstance(value, bool | str) or not isinstance(value, number_types) or not 0 < value < inf:
        expected = "a whole number above 0" if must_be_whole else "a number above 0"
        shown = quote_truncated(str(value))
        raise InvalidInputError(
            f"the option {option.name} of the bot {quote_truncated(name)} must be {expected}, not {shown}"
        )


def accepted_arguments(factory: Any, values: dict[str, int]) -> dict[str, int]:
    """Return those of the values that the factory accepts as keyword arguments."""
    try:
        parameters = inspect.signature(factory).parameters.values()
    except (TypeError, ValueError):  # written in C, without a signature
        return {}
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return values
    names = {parameter.name for parameter in parameters if _is_named(parameter)}
    return {name: value for name, value in values.items() if name in names}


def _is_named(parameter: inspect.Parameter) -> bool:
    return parameter.kind in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD)
