"""The bots of this game, weakest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

BOTS: Mapping[str, Any] = {}
