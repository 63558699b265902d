"""Ports of this machine."""

from __future__ import annotations

import socket


def free_port() -> int:
    """One that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def listens(port: int) -> bool:
    """Whether somebody does."""
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0
