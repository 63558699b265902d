"""Socket messages about a match. Each part is built once for all audiences that may see the same."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any
from weakref import ref

from limina.errors import LiminaError
from limina.server.errors import error_code
from limina.server.matches import Match, visibility
from limina.server.matches.match import PlayedTurn
from limina.server.matches.visibility import Audience, Seats, Update
from limina.server.network.socket_protocol import PreparedMessage
from limina.server.schemas.json_encoding import Fragment, dump, error_fields

_MAX_CACHE_BYTES = 64 * 1024 * 1024
"""Maximum size of the cached parts of states."""


class _CachedVersion:
    """Cached parts of the state of one version of a match."""

    def __init__(self, match: Match) -> None:
        self.match = ref(match)
        self.version = match.situation.version
        self.states: dict[Seats, bytes] = {}
        """State as JSON, without the last brace and a viewer's own fields, by the seats that decide what is visible."""
        self.legal: dict[int, Fragment] = {}
        self.size = 0
        """Bytes of the parts."""


class MessageBuilder:
    """Builds states and updates, and caches the parts of states."""

    def __init__(self) -> None:
        self._cache: OrderedDict[str, _CachedVersion] = OrderedDict()
        self._size = 0

    def state(self, match: Match, seats: Seats, *, legal: bool = True) -> bytes:
        """Return the state as JSON, as far as the holder of these seats may see it."""
        cached, view_seats = self._cached(match), visibility.view_seats(match, seats)
        if view_seats not in cached.states:
            state = visibility.state(match, view_seats, legal=False)
            del state["my_seats"], state["legal"]
            cached.states[view_seats] = self._count(cached, dump(state)[:-1])
        turns: dict[Any, Fragment] = {
            seat: self.legal(match, seat) for seat in seats if legal and seat in match.to_move
        }
        return b'%b,"my_seats":%b,"legal":%b}' % (cached.states[view_seats], dump(seats), dump(turns))

    def state_message(self, match: Match, audience: Audience) -> PreparedMessage:
        """Return the state for an audience."""
        state = self.state(match, audience.seats, legal=audience.legal)
        return PreparedMessage(b'{"type":"state","state":%b}' % state)

    def legal(self, match: Match, seat: int, turns: dict[str, Any] | None = None) -> Fragment:
        """Return the legal turns of a seat to move as JSON. `turns` are its legal turns if the caller has them."""
        cached = self._cached(match)
        if seat not in cached.legal:
            turns = visibility.legal_turns(match, seat) if turns is None else turns
            cached.legal[seat] = Fragment(self._count(cached, dump(turns)))
        return cached.legal[seat]

    def update_messages(self, match: Match, updates: Iterable[Update]) -> dict[Audience, PreparedMessage]:
        """Return the message of each audience after turns."""
        texts = []
        for fields, legal_turns, by_moving in updates:
            legal = {seat: self.legal(match, seat, turns) for seat, turns in legal_turns.items()}
            start = dump(fields)[:-1]
            for moving, audiences in by_moving.items():
                turns: dict[Any, Fragment] = {seat: legal[seat] for seat in moving}
                texts.append((b'%b,"legal":%b}' % (start, dump(turns)), audiences))
        messages: dict[Audience, PreparedMessage] = {}
        for text, audiences in texts:
            messages.update(dict.fromkeys(audiences, PreparedMessage(text)))
        return messages

    def _cached(self, match: Match) -> _CachedVersion:
        cached = self._cache.get(match.id)
        if cached is None or cached.version != match.situation.version or cached.match() is not match:
            if cached is not None:
                self._size -= cached.size
            cached = self._cache[match.id] = _CachedVersion(match)
        self._cache.move_to_end(match.id)
        return cached

    def _count(self, cached: _CachedVersion, part: bytes) -> bytes:
        """Add a part to the size of the cache. Evict the least recently used versions if the cache is too large."""
        cached.size += len(part)
        self._size += len(part)
        while self._size > _MAX_CACHE_BYTES and len(self._cache) > 1:
            _, oldest = self._cache.popitem(last=False)
            self._size -= oldest.size
        return part


def saved_turn(idempotency_key: str, turn: PlayedTurn) -> dict[str, Any]:
    """Return the fields of a SavedTurn."""
    return {
        "idempotency_key": idempotency_key,
        "seat_index": turn.seat_index,
        "turn_index": turn.turn_index,
        "turn": turn.text,
        "version": turn.version,
    }


def message(message_type: str, **fields: Any) -> PreparedMessage:
    """Return a message of a type with these fields."""
    return PreparedMessage(dump({"type": message_type, **fields}))


def refused_message(request_id: str | None, caught: LiminaError) -> PreparedMessage:
    """Return the message about a refused request."""
    return message("refused", request_id=request_id, **error_fields(error_code(caught), str(caught)))
