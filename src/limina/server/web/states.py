"""States of matches as they are sent: each part is made once for a version and for those who may see the same of it."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any
from weakref import ref

from limina.server.matches import Match, visibility
from limina.server.wire.encoding import Fragment, dump, fragment

_MOST_BYTES = 64 * 1024 * 1024
_MOST_MADE = 32
"""Of one version: more seats than that nobody holds in so many ways."""

Seats = tuple[int, ...]


class _Version:
    """What was made of a match as it stands."""

    def __init__(self, match: Match) -> None:
        self.match = ref(match)
        self.version = match.version
        self.shared: dict[Seats, dict[str, Any]] = {}
        self.legal: dict[int, Fragment] = {}
        self.states: dict[tuple[Seats, bool], bytes] = {}
        self.size = 0


class States:
    """What was made lately, up to so many bytes."""

    def __init__(self) -> None:
        self._made: OrderedDict[str, _Version] = OrderedDict()
        self._size = 0

    def state(self, match: Match, mine: Seats, *, legal: bool = True) -> bytes:
        """All that whoever holds these seats may know."""
        made = self._of(match)
        found = made.states.get((mine, legal))
        if found is None:
            shared = self._shared(made, match, visibility.audience(match, mine))
            turns = {seat: self.legal(match, seat) for seat in mine if legal and seat in match.to_move}
            found = dump({**shared, "mine": list(mine), "legal": turns})
            if len(made.states) >= _MOST_MADE:
                self._count(made, -sum(map(len, made.states.values())))
                made.states.clear()
            made.states[mine, legal] = found
            self._count(made, len(found))
            self._forget()
        return found

    def message(self, match: Match, mine: Seats, *, legal: bool = True) -> bytes:
        """The same as a message of a socket."""
        return b'{"type":"state","state":%b}' % self.state(match, mine, legal=legal)

    def legal(self, match: Match, seat: int) -> Fragment:
        """The legal turns of a seat that is to move."""
        made = self._of(match)
        found = made.legal.get(seat)
        if found is None:
            written = dump(visibility.legal_turns(match, seat))
            found = made.legal[seat] = Fragment(written)
            self._count(made, len(written))
        return found

    def _shared(self, made: _Version, match: Match, audience: Seats) -> dict[str, Any]:
        """What is the same for everybody of an audience."""
        found = made.shared.get(audience)
        if found is None:
            found = visibility.state(match, audience, legal=False)
            for part in ("steps", "view", "seats"):
                found[part] = fragment(found[part])
            if len(made.shared) >= _MOST_MADE:
                made.shared.clear()
            made.shared[audience] = found
        return found

    def _of(self, match: Match) -> _Version:
        made = self._made.get(match.id)
        if made is None or made.version != match.version or made.match() is not match:
            if made is not None:
                self._size -= made.size
            made = self._made[match.id] = _Version(match)
        self._made.move_to_end(match.id)
        return made

    def _count(self, made: _Version, size: int) -> None:
        made.size += size
        self._size += size

    def _forget(self) -> None:
        while self._size > _MOST_BYTES and len(self._made) > 1:
            _, oldest = self._made.popitem(last=False)
            self._size -= oldest.size
