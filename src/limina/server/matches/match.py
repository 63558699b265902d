"""A match: the state that follows from its saved events, and the events that are pending."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random, SystemRandom
from typing import Any

from limina.core import registry
from limina.core.commitment import commitment_hash
from limina.core.game import Game
from limina.core.position import Outcome, Position, Step
from limina.core.presenter import presenter_of
from limina.server.model import STEPS, Append, Event, EventKind, Job, NewMatch, Phase, SavedMatch, Seat

_RNG: Random = SystemRandom()


def now() -> int:
    """Return milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def hash_seat_token(seat_token: str) -> str:
    """Return the hash of a seat token that is stored. Tokens are long and random, so they need no slow hash."""
    return hashlib.sha256(seat_token.encode()).hexdigest()


@dataclass(slots=True)
class Situation:
    """The state of a match after some of its events.

    It is never changed, and not frozen because that would double the time to create one.
    """

    version: int
    """The index of the last of these events."""
    step_count: int
    position: Position
    turn_counts: tuple[int, ...]
    """The number of turns that each seat has played."""
    round_start: Position
    """The position at the start of the open round. In a game turn by turn, it is `position`."""
    round_start_step_count: int
    """The number of steps before the open round."""
    to_move: tuple[int, ...] = field(init=False)
    """The players who may play a turn."""
    outcome: Outcome | None = field(init=False)
    """None while the game goes on."""

    def __post_init__(self) -> None:
        self.to_move = self.position.to_move
        self.outcome = self.position.outcome

    def after(self, event_index: int, step: Step, position: Position, by_rounds: bool) -> Situation:
        """Return the situation after a step that leads to a position, and that is the event of this index."""
        step_count, turn_counts = self.step_count + 1, self.turn_counts
        if step.player is not None:
            seat = step.player
            turn_counts = (*turn_counts[:seat], turn_counts[seat] + 1, *turn_counts[seat + 1 :])
            if by_rounds and position.progress == self.position.progress:  # the round is still open
                return Situation(
                    event_index, step_count, position, turn_counts, self.round_start, self.round_start_step_count
                )
        return Situation(event_index, step_count, position, turn_counts, position, step_count)


@dataclass(slots=True)
class PlayedTurn:
    """A saved turn. It answers a retry with the same idempotency key."""

    seat_index: int
    turn_index: int
    text: str
    version: int
    """The version of the match after the turn and the chance that follows it."""


@dataclass(eq=False)
class Match:
    """The state that follows from the saved events of a match.

    A change is prepared as `PendingEvents`, and applied when its events are saved:

    >>> from limina.server.matches.new_match import MatchRequest, SeatRequest, new_match
    >>> from limina.server.matches import HostedBots
    >>> request = MatchRequest(registry.game_names()[0], [SeatRequest("person"), SeatRequest("open")])
    >>> match, seat_tokens = new_match(request, HostedBots())
    >>> match.phase, match.version, match.seats_of(seat_tokens.values())
    ('waiting', 0, (0,))
    >>> pending = PendingEvents(match)
    >>> pending.add("seat_taken", seat_index=1, seats=(Seat("bot", "novice", "novice"),))
    >>> pending.draw_chance()
    >>> [(event.event_index, event.kind) for event in pending.events]
    [(1, 'seat_taken'), (2, 'chance')]
    >>> match.apply_events(pending.events)
    >>> match.phase, match.version, 0 in match.to_move
    ('playing', 2, True)
    """

    id: str
    game: Game
    start: Position
    seats: list[Seat]
    hidden_turns: bool
    """True if the turns of a round stay hidden until the round is complete."""
    chance_outcomes: tuple[str, ...]
    """All outcomes of chance, decided in advance."""
    salt: str
    created_at: int
    options: dict[str, Any]
    """The options that were chosen, for a rematch."""
    allow_spectators: bool = True
    """Allow people without a seat to watch."""
    rematch_id: str | None = None
    steps: list[Step] = field(default_factory=list)
    played_turns: dict[str, PlayedTurn] = field(default_factory=dict)
    """The saved turns by idempotency key, including those that were taken back."""
    chance_steps_taken: int = 0
    """The number of steps of chance, including those that were taken back."""
    take_back_count: int = 0

    def __post_init__(self) -> None:
        self.situation = self._initial = Situation(0, 0, self.start, (0,) * len(self.seats), self.start, 0)
        self.by_rounds = self.game.spec.simultaneous
        self.presenter = presenter_of(self.game)
        self.is_full = _all_taken(self.seats)
        """True if no seat is open."""
        self._last_turn: PlayedTurn | None = None

    @cached_property
    def commitment(self) -> str | None:
        """The hash that binds the server to the outcomes of chance."""
        if not self.chance_outcomes or self.game.spec.chance != "during":
            return None
        return commitment_hash(self.salt, self.chance_outcomes)

    @cached_property
    def packed_start(self) -> dict[str, Any]:
        """The part of the record before the first step."""
        return self.game.pack(self.start, ())

    @property
    def version(self) -> int:
        """The index of the last event."""
        return self.situation.version

    @property
    def is_over(self) -> bool:
        """True if the game is over."""
        return self.situation.outcome is not None

    @property
    def phase(self) -> Phase:
        """Return `waiting` while a seat is open, then `playing`, then `over`."""
        if not self.is_full:
            return "waiting"
        return "over" if self.is_over else "playing"

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that may play a turn."""
        return self.situation.to_move if self.is_full else ()

    def seats_of(self, seat_tokens: Iterable[str]) -> tuple[int, ...]:
        """Return the indices of the seats that these tokens hold."""
        return self.seats_of_hashes({hash_seat_token(token) for token in seat_tokens})

    def seats_of_hashes(self, token_hashes: Collection[str]) -> tuple[int, ...]:
        """Return the indices of the seats that the tokens with these hashes hold."""
        return tuple(index for index, seat in enumerate(self.seats) if seat.token_hash in token_hashes)

    def can_watch(self, own_seats: tuple[int, ...]) -> bool:
        """Return True if the holder of these seats may see the match. While a seat is open, everyone may take it."""
        return self.allow_spectators or bool(own_seats) or not self.is_full

    # --- events

    def apply_events(self, events: Iterable[Event], situation: Situation | None = None) -> None:
        """Apply saved events, except those that are applied already.

        `situation` is the one after the last event, if the caller knows it. Otherwise it is computed from the steps
        that remain, so that take-backs do not make it slower.
        """
        turn_counts = list(self.situation.turn_counts)
        version, unchanged_step_count = self.situation.version, len(self.steps)
        for event in events:
            if event.event_index <= version:
                continue  # received in another way before
            if event.event_index != version + 1:
                raise ValueError("an event is missing")
            version = event.event_index
            self._apply_event(event, turn_counts)
            unchanged_step_count = min(unchanged_step_count, len(self.steps))
        if version != self.situation.version:
            base = self.situation if unchanged_step_count == self.situation.step_count else self._initial
            self.situation = situation or self.situation_after(len(self.steps), version, base)

    def _apply_event(self, event: Event, turn_counts: list[int]) -> None:
        """Apply an event to everything but the situation; update the number of turns of each seat."""
        event_index, kind, _, seat_index, payload, idempotency_key, seats = event
        if kind in STEPS:
            self.steps.append(Step(seat_index, payload))
            if seat_index is None:
                self.chance_steps_taken += 1
                if self._last_turn is not None:  # chance after a turn is part of its result
                    self._last_turn.version = event_index
            else:
                self._last_turn = PlayedTurn(seat_index, turn_counts[seat_index], payload, event_index)
                turn_counts[seat_index] += 1
                if idempotency_key is not None:
                    self.played_turns[idempotency_key] = self._last_turn
        elif kind == "take_back":
            step_count = int(payload)
            for step in self.steps[step_count:]:
                if step.player is not None:
                    turn_counts[step.player] -= 1
            del self.steps[step_count:]
            self.take_back_count += 1
            self._last_turn = None
        elif kind == "rematch":
            self.rematch_id = payload
        elif seat_index is not None:
            (self.seats[seat_index],) = seats
            self.is_full = _all_taken(self.seats)

    def step_count_before_last_turn(self, seat_index: int) -> int:
        """Return the number of steps before the last turn of a seat; -1 if it has played none."""
        return max((index for index, step in enumerate(self.steps) if step.player == seat_index), default=-1)

    def version_of_turn(self, seat_index: int, turn_index: int) -> int:
        """Return the version of the match after the turn with these indices; 0 if no such turn has an idempotency key.

        After a take-back, a turn of the same indices may have been played again: then return the later version.
        """
        identity = seat_index, turn_index
        turns = self.played_turns.values()
        return max((turn.version for turn in turns if (turn.seat_index, turn.turn_index) == identity), default=0)

    def situation_after(self, step_count: int, version: int, base: Situation | None = None) -> Situation:
        """Return the situation after so many of the steps, with this version.

        It is computed from `base`, or from the start.
        """
        situation = base or self._initial
        for step in self.steps[situation.step_count : step_count]:
            situation = situation.after(version, step, situation.position.apply(step), self.by_rounds)
        return replace(situation, version=version)

    def turn_identity(self, seat_index: int) -> tuple[int, int, Seat]:
        """Return what identifies the next turn of a seat. A choice for it is obsolete when this changes."""
        return self.take_back_count, self.situation.turn_counts[seat_index], self.seats[seat_index]

    def bots_to_move(self) -> dict[int, str]:
        """Return by seat the bots that are to move, as a text of the turn and the bot that identifies the job."""
        return _bots_to_move(self.seats, self.situation, self.take_back_count)

    # --- storage

    def to_saved(self, pending: PendingEvents) -> SavedMatch:
        """Return a new match with its first events, to be saved."""
        created = Event(0, "created", self.created_at, seats=tuple(self.seats))
        return SavedMatch(
            id=self.id,
            game=self.game.name,
            start=self.packed_start,
            options=self.options,
            hidden_turns=self.hidden_turns,
            allow_spectators=self.allow_spectators,
            chance_outcomes=self.chance_outcomes,
            salt=self.salt,
            created_at=self.created_at,
            events=(created, *pending.events),
        )

    @classmethod
    def restore(cls, saved: SavedMatch) -> Match:
        """Return the match that was saved."""
        game = registry.game(saved.game)
        created, *events = saved.events
        start, _ = game.unpack(saved.start, len(created.seats))
        match = cls(
            id=saved.id,
            game=game,
            start=start,
            seats=list(created.seats),
            hidden_turns=saved.hidden_turns,
            chance_outcomes=saved.chance_outcomes,
            salt=saved.salt,
            created_at=saved.created_at,
            options=saved.options,
            allow_spectators=saved.allow_spectators,
        )
        match.apply_events(events)
        return match


def _all_taken(seats: Iterable[Seat]) -> bool:
    return all(seat.kind != "open" for seat in seats)


class PendingEvents:
    """Events that are validated against a match and not saved yet. The match does not change before they are."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.requeues = False
        """True to write the jobs of all bots that are to move, as if there were none."""
        self._chance_step_count = match.chance_steps_taken
        self._created_at = now()
        self.situation = match.situation
        """The situation after the events."""
        self.expected_version = match.version
        """The version of the match that the events follow."""
        self.events: list[Event] = []
        self.rematch: NewMatch | None = None
        """The rematch, if this is the event."""

    def add(
        self, kind: EventKind, payload: str = "", seat_index: int | None = None, seats: tuple[Seat, ...] = ()
    ) -> None:
        """Add an event that is not a step."""
        version = self.situation.version + 1
        self.events.append(Event(version, kind, self._created_at, seat_index, payload, seats=seats))
        self.situation = replace(self.situation, version=version)

    def play(self, seat_index: int, turn: Any, idempotency_key: str | None) -> None:
        """Add a turn and the chance that follows it; raise LiminaError if the turn is illegal."""
        position = self.situation.position.play(turn, seat_index)
        self._add_step(Step(seat_index, str(turn)), position, idempotency_key)
        self.draw_chance()

    def take_back(self, seat_index: int) -> None:
        """Take back the last turn of a seat and all steps after it."""
        version, step_count = self.situation.version + 1, self.match.step_count_before_last_turn(seat_index)
        self.events.append(Event(version, "take_back", self._created_at, seat_index, str(step_count)))
        self.situation = self.match.situation_after(step_count, version)

    def draw_chance(self) -> None:
        """Add steps of chance while the position awaits chance."""
        position, outcomes = self.situation.position, self.match.chance_outcomes
        while position.awaits_chance:
            is_decided = self._chance_step_count < len(outcomes)
            step = Step(None, outcomes[self._chance_step_count]) if is_decided else position.draw_chance_step(_RNG)
            self._chance_step_count += 1
            position = position.apply(step)
            self._add_step(step, position)

    def _add_step(self, step: Step, position: Position, idempotency_key: str | None = None) -> None:
        version = self.situation.version + 1
        kind: EventKind = "chance" if step.player is None else "turn"
        self.events.append(Event(version, kind, self._created_at, step.player, step.text, idempotency_key))
        self.situation = self.situation.after(version, step, position, self.match.by_rounds)

    def to_append(self, jobs: tuple[Job, ...], done_jobs: tuple[str, ...]) -> Append:
        """Return the append that saves the events."""
        is_over = self.situation.outcome is not None
        return Append(self.match.id, self.expected_version, tuple(self.events), is_over, self.rematch, jobs, done_jobs)

    @property
    def version(self) -> int:
        """The version after the events."""
        return self.situation.version

    def bots_to_move(self) -> dict[int, str]:
        """Return the bots that are to move after the events, as `Match.bots_to_move` does."""
        seats, take_back_count = self.match.seats, self.match.take_back_count
        for event in self.events:
            take_back_count += event.kind == "take_back"
            if event.seat_index is not None and event.seats:
                seats = [*seats[: event.seat_index], *event.seats, *seats[event.seat_index + 1 :]]
        return _bots_to_move(seats, self.situation, take_back_count)


def _bots_to_move(seats: Sequence[Seat], situation: Situation, take_back_count: int) -> dict[int, str]:
    if not _all_taken(seats):
        return {}
    return {
        seat_index: f"{situation.turn_counts[seat_index]}.{take_back_count} {level}"
        for seat_index in situation.to_move
        if (level := seats[seat_index].bot) is not None
    }
