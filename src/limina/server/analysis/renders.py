"""Render sheets and pictures in subprocesses, with a cache."""

from __future__ import annotations

import hashlib
import sys
from collections import OrderedDict

from limina.isolated.protocol import Question
from limina.server.analysis.subprocess_pool import IsolatedProgram, SubprocessPool
from limina.server.jobs import PoolLimits

RENDER_PROGRAM = IsolatedProgram(
    (sys.executable, "-m", "limina.isolated.render"),
    "picture",
    timeout_seconds=40.0,
    limits=PoolLimits(
        max_running=2,
        max_running_per_client=1,
        max_waiting=24,
        max_waiting_per_client=4,
        message="many pictures are being drawn just now: please try again in a moment",
    ),
)
MAX_CACHE_BYTES = 32 * 1024 * 1024


class Renders(SubprocessPool):
    """The subprocess pool that renders files, with a cache of the most recently used ones."""

    def __init__(self, program: IsolatedProgram = RENDER_PROGRAM, max_cache_bytes: int = MAX_CACHE_BYTES) -> None:
        super().__init__(program)
        self._cache: OrderedDict[bytes, bytes] = OrderedDict()
        self._cache_bytes = 0
        self._max_cache_bytes = max_cache_bytes

    async def ask(self, question: Question, body: bytes) -> bytes:
        """Return the file that a question describes; raise RefusedError if it cannot be rendered."""
        key = hashlib.sha256(question.encode() + b" " + body).digest()
        if key in self._cache:
            self._cache.move_to_end(key)
            return self._cache[key]
        file = await super().ask(question, body)
        self._cache_bytes += len(file) - len(self._cache.pop(key, b""))  # two requests may render it at once
        self._cache[key] = file
        while self._cache_bytes > self._max_cache_bytes:
            _, oldest = self._cache.popitem(last=False)
            self._cache_bytes -= len(oldest)
        return file
