"""Sheets and pictures, made in processes of their own, one at a time for a client and two in all; the last few are kept
for whoever asks again."""

from __future__ import annotations

import hashlib
import sys
from collections import OrderedDict

from limina.server.analysis.readers import Question, RecordReaders
from limina.server.jobs import LaneSize, LocalJobs

LANE = LaneSize(
    at_once=2,
    at_once_of_one=1,
    waiting=24,
    waiting_of_one=4,
    sentence="many pictures are being made just now: please try again in a moment",
)
SECONDS = 40.0
"""What making one may take, with the start of the process."""
MOST_KEPT_BYTES = 32 * 1024 * 1024
_MAKER = (sys.executable, "-m", "limina.analysis.maker")


class Makers:
    """Has files made of what somebody sent."""

    def __init__(self, readers: RecordReaders | None = None, most: int = MOST_KEPT_BYTES) -> None:
        self._readers = readers or RecordReaders(LocalJobs({"record": LANE}), _MAKER, SECONDS, "picture")
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._size = 0
        self._most = most

    @property
    def readers(self) -> RecordReaders:
        """Those who make them."""
        return self._readers

    def known(self, question: Question, body: bytes) -> bytes | None:
        """What was made of the same before, if it is still there."""
        key = _key(question, body)
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def keep(self, question: Question, body: bytes, made: bytes) -> None:
        """Remember what was made, and forget what nobody has asked for the longest."""
        before = self._kept.pop(_key(question, body), b"")
        self._kept[_key(question, body)] = made
        self._size += len(made) - len(before)
        while self._size > self._most:
            _, oldest = self._kept.popitem(last=False)
            self._size -= len(oldest)

    async def stop(self) -> None:
        """Make no more."""
        await self._readers.stop()


def _key(question: Question, body: bytes) -> bytes:
    return hashlib.sha256(question.encode() + b" " + body).digest()
