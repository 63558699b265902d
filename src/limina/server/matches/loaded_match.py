"""A match in memory, with the state of this process that does not follow from its events."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from limina.bots import Bot
from limina.server.matches.match import Match, Situation
from limina.server.matches.visibility import Audience, Update, updates
from limina.server.model import STEPS, Event
from limina.server.storage import PendingWrite

_LOG = logging.getLogger("limina.server")

Subscriber = Callable[["LoadedMatch", list[Update] | None], None]
"""Called with the updates for all viewers after turns, or with None after any other change: seats, a rematch,
invalidation."""


class Viewer(Protocol):
    """A client that receives updates."""

    audience: Audience


@dataclass(eq=False, slots=True)
class LoadedMatch:
    """A match that the match service holds in memory."""

    match: Match
    subscribers: set[Subscriber] = field(default_factory=set)
    viewers: Collection[Viewer] = ()
    """The clients for which updates are built."""
    bots: dict[int, Bot] = field(default_factory=dict)
    """The built-in bots by seat."""
    bots_running: int = 0
    """The number of bots that choose a turn. The match is not evicted meanwhile."""
    pending_write: PendingWrite | None = None
    """The append that is not committed yet. All other changes wait for its result, because its outcomes of chance must
    have no effect before they are saved."""
    invalidated: bool = False
    """True if memory and database may differ. The match has to be loaded again."""

    def apply_events(
        self, events: Sequence[Event], situation: Situation | None = None, on_applied: Callable[[], None] | None = None
    ) -> None:
        """Apply saved events, call `on_applied`, and notify the subscribers. Invalidate the match if that fails."""
        before = self.match.situation
        try:
            self.match.apply_events(events, situation)
        except Exception as error:  # the events do not follow from the state in memory
            _LOG.error("match %s: applying saved events failed: %s", self.match.id, type(error).__name__)
            self.invalidate()
            return
        if on_applied is not None:
            on_applied()
        if self.match.situation is not before:
            only_steps = all(event.kind in STEPS for event in events if event.event_index > before.version)
            self._notify(before if only_steps else None)

    def invalidate(self) -> None:
        """Mark the match to be loaded again before its next use, and notify the subscribers."""
        self.invalidated = True
        self._notify(None)

    def _notify(self, before: Situation | None) -> None:
        """Notify the subscribers with updates since a situation, or with None."""
        built: list[Update] | None = None
        for subscriber in tuple(self.subscribers):
            try:
                if before is not None and built is None:
                    built = updates(self.match, before, {viewer.audience for viewer in self.viewers})
                subscriber(self, built)
            except Exception as error:  # a failing subscriber must not stop the game or the other subscribers
                _LOG.error(
                    "match %s: sending a change to its subscribers failed: %s", self.match.id, type(error).__name__
                )
