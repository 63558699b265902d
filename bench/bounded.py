"""Our bots with other bounds, by name: the arena finds `bench.bounded:limes_300` (rollouts) and `..._100ms` (time)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from limina.limes import bots as limes
from limina.limit import bots as limit

ENDLESS = 1e9
UNBOUNDED = 10**9


def __getattr__(name: str) -> Callable[..., Any]:
    """A maker of bots; `limes`, `limit` or `uct`, then how much work a turn, or how many ms."""
    maker, _, bound = name.partition("_")
    makers: dict[str, tuple[Callable[..., Any], str]] = {
        "limes": (limes.master, "rollouts"),
        "limit": (limit.master, "nodes"),
        "uct": (limit.uct, "nodes"),
    }
    if maker not in makers or not bound.removesuffix("ms").isdecimal():
        raise AttributeError(name)
    make, work = makers[maker]
    if bound.endswith("ms"):
        # The search of Limes shares out its rollouts beforehand: there, time only cuts short what was planned.
        unbounded = {} if work == "rollouts" else {work: UNBOUNDED}
        return partial(make, **unbounded, milliseconds=float(bound.removesuffix("ms")))
    return partial(make, **{work: int(bound)}, milliseconds=ENDLESS)
