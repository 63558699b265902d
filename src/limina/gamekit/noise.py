"""Noise for a drawing: numbers that depend on a key alone, the same here as on the page."""

from __future__ import annotations

from functools import lru_cache


def fnv1a(data: bytes) -> int:
    """Return the hash of 32 bits that Fowler, Noll and Vo published under this name."""
    found = 0x811C9DC5
    for byte in data:
        found = (found ^ byte) * 0x01000193 & 0xFFFFFFFF
    return found


@lru_cache(maxsize=4096)
def noise(what: str, *place: int) -> float:
    """Return a number in [0, 1) that depends on the key alone, so that a drawing never changes by itself."""
    # A byte that no part contains ends each of them.
    key = "".join(f"{part}\x9e" for part in (what, *place))
    mixed = fnv1a(key.encode("latin-1"))
    # Keys that differ in one digit are still alike: the last step of MurmurHash3 spreads them.
    mixed = (mixed ^ mixed >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return (mixed ^ mixed >> 16) / 2**32
