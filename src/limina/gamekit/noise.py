"""Noise for drawings: pseudorandom numbers that depend only on a key, and are the same on the page."""

from __future__ import annotations

from functools import lru_cache


def fnv1a(data: bytes) -> int:
    """Return the 32-bit FNV-1a hash (Fowler, Noll, Vo)."""
    digest = 0x811C9DC5
    for byte in data:
        digest = (digest ^ byte) * 0x01000193 & 0xFFFFFFFF
    return digest


@lru_cache(maxsize=4096)
def noise(name: str, *coordinates: int) -> float:
    """Return a number in [0, 1) that depends only on the arguments, so that a drawing is always the same."""
    # End each part with a byte that no part contains.
    key = "".join(f"{part}\x9e" for part in (name, *coordinates))
    bits = fnv1a(key.encode("latin-1"))
    # FNV-1a maps keys that differ in one digit to similar numbers. The finalizer of MurmurHash3 spreads them.
    bits = (bits ^ bits >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    bits = (bits ^ bits >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return (bits ^ bits >> 16) / 2**32
