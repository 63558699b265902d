"""A match in memory, with everything that one process knows about it and that does not follow from its events."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from limina.bots import Bot
from limina.server.matches.match import Match, Situation
from limina.server.matches.visibility import Audience, Update, updates
from limina.server.model import STEPS, Event
from limina.server.storage import Writing

_LOG = logging.getLogger("limina.server")

Subscriber = Callable[["LoadedMatch", list[Update] | None], None]
"""Called with the updates for all viewers after turns, or with None after any other change: seats, a rematch,
invalidation."""


class Viewer(Protocol):
    """A client that is sent updates."""

    audience: Audience


@dataclass(eq=False, slots=True)
class LoadedMatch:
    """A match that the match service holds in memory."""

    match: Match
    subscribers: set[Subscriber] = field(default_factory=set)
    viewers: Collection[Viewer] = ()
    """The clients for which updates are built."""
    bots: dict[int, Bot] = field(default_factory=dict)
    thinking: int = 0
    """How many bots think about their turns. Their match is not evicted."""
    pending_write: Writing | None = None
    """The append that is not committed yet. Every other change waits for its result: what chance did in it must have
    no effect before it is saved."""
    invalidated: bool = False
    """Set when memory and database may differ. The match has to be loaded again."""

    def apply_events(
        self, events: Sequence[Event], situation: Situation | None = None, applied: Callable[[], None] | None = None
    ) -> None:
        """Apply saved events and notify the subscribers; `applied` is called before them. A failure invalidates."""
        before = self.match.situation
        try:
            self.match.apply_events(events, situation)
        except Exception as error:  # the events do not follow from what is in memory
            _LOG.error("saved events of the match %s could not be applied: %s", self.match.id, type(error).__name__)
            self.invalidate()
            return
        if applied is not None:
            applied()
        if self.match.situation is not before:
            only_steps = all(event.kind in STEPS for event in events if event.event_index > before.version)
            self._notify(before if only_steps else None)

    def invalidate(self) -> None:
        """Have the match loaded again when it is needed next, and notify the subscribers."""
        self.invalidated = True
        self._notify(None)

    def _notify(self, before: Situation | None) -> None:
        """Notify the subscribers after turns, or after another change where `before` is None."""
        built: list[Update] | None = None
        for subscriber in tuple(self.subscribers):
            try:
                if before is not None and built is None:
                    built = updates(self.match, before, {viewer.audience for viewer in self.viewers})
                subscriber(self, built)
            except Exception as error:  # a failing subscriber must not stop the game or the other subscribers
                _LOG.error("a change of the match %s could not be published: %s", self.match.id, type(error).__name__)
