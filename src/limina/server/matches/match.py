"""A match: the state that follows from its events, and the pending of its next events."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random, SystemRandom
from typing import Any

from limina.core import registry
from limina.core.commitment import commit
from limina.core.game import Game
from limina.core.position import Outcome, Position, Step
from limina.core.presenter import presenter_of
from limina.server.model import STEPS, Append, Event, EventKind, Job, NewMatch, Phase, SavedMatch, Seat

_RNG: Random = SystemRandom()


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def hash_seat_token(key: str) -> str:
    """What is stored of a seat's key. The keys are long and random, so a plain hash is enough."""
    return hashlib.sha256(key.encode()).hexdigest()


@dataclass(slots=True)
class Situation:
    """Where a match stands after some of its events. Never changed; frozen, it would take twice as long to make."""

    version: int
    """The number of the last of them."""
    steps: int
    """How many of them were steps."""
    position: Position
    turns: tuple[int, ...]
    """How many turns each seat has played."""
    round_start: Position
    """The position in which the open round began; turn by turn, simply the position."""
    steps_before_round: int
    """How many steps had been made then."""
    to_move: tuple[int, ...] = field(init=False)
    """The players who may play a turn now."""
    outcome: Outcome | None = field(init=False)
    """How the game ended, or None while it goes on."""

    def __post_init__(self) -> None:
        self.to_move = self.position.to_move
        self.outcome = self.position.outcome

    def after(self, number: int, step: Step, position: Position, by_rounds: bool) -> Situation:
        """The situation one step later, which was the event of this number."""
        steps, turns = self.steps + 1, self.turns
        if step.player is not None:
            seat = step.player
            turns = (*turns[:seat], turns[seat] + 1, *turns[seat + 1 :])
            if by_rounds and position.progress == self.position.progress:  # the round goes on
                return Situation(number, steps, position, turns, self.round_start, self.steps_before_round)
        return Situation(number, steps, position, turns, position, steps)


@dataclass(slots=True)
class PlayedTurn:
    """A turn that is saved, so that the same one sent again gets the same answer."""

    seat_index: int
    turn_index: int
    text: str
    version: int


@dataclass(eq=False)
class Match:
    """The state that follows from the saved events of one match, and nothing else."""

    id: str
    game: Game
    start: Position
    seats: list[Seat]
    hidden_turns: bool
    chance_outcomes: tuple[str, ...]
    """All outcomes of chance, decided in advance."""
    salt: str
    created_at: int
    options: dict[str, Any]
    """As they were chosen, for a rematch."""
    allow_spectators: bool = True
    """Whether those who hold no seat may watch."""
    rematch: str | None = None
    steps: list[Step] = field(default_factory=list)
    played_turns: dict[str, PlayedTurn] = field(default_factory=dict)
    chance_steps_taken: int = 0
    """How many steps of chance were made, including those that were taken back."""
    taken_back: int = 0
    """How often a turn was taken back: what was thought of before is about another position."""

    def __post_init__(self) -> None:
        self.situation = self._initial = Situation(0, 0, self.start, (0,) * len(self.seats), self.start, 0)
        self.by_rounds = self.game.spec.simultaneous
        self.presenter = presenter_of(self.game)
        self.is_full = _all_taken(self.seats)
        """Whether somebody sits on every seat."""
        self._latest: PlayedTurn | None = None

    @cached_property
    def commitment(self) -> str | None:
        """What binds the server to all that chance will do."""
        if not self.chance_outcomes or self.game.spec.chance != "during":
            return None
        return commit(self.salt, self.chance_outcomes)

    @cached_property
    def start_pack(self) -> dict[str, Any]:
        """The record's own part before the first step."""
        return self.game.pack(self.start, ())

    @property
    def version(self) -> int:
        """The number of the last event."""
        return self.situation.version

    @property
    def is_over(self) -> bool:
        """Whether the game is over, for all to see."""
        return self.situation.outcome is not None

    @property
    def phase(self) -> Phase:
        """Waiting for players, playing or over."""
        if not self.is_full:
            return "waiting"
        return "over" if self.is_over else "playing"

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that may play a turn now."""
        return self.situation.to_move if self.is_full else ()

    def seats_of(self, keys: Iterable[str]) -> tuple[int, ...]:
        """The seats that these keys hold."""
        return self.seats_held({hash_seat_token(key) for key in keys})

    def seats_held(self, hashes: Collection[str]) -> tuple[int, ...]:
        """The seats that the keys with these hashes hold."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.token_hash in hashes)

    def admits(self, mine: tuple[int, ...]) -> bool:
        """Whether whoever holds these seats may look; while seats are open, whoever has the link may take one."""
        return self.allow_spectators or bool(mine) or not self.is_full

    # --- going on

    def apply_events(self, events: Iterable[Event], situation: Situation | None = None) -> None:
        """Apply saved events, except those that are known already.

        `situation`, the one after the last event, saves working it out again. Positions in between are not worked out,
        so that reading a match takes no longer for all that was taken back in it.
        """
        turns = list(self.situation.turns)
        version, kept = self.situation.version, len(self.steps)
        for event in events:
            if event.event_index <= version:
                continue  # another way to hear of it was faster
            if event.event_index != version + 1:
                raise ValueError("an event is missing")
            version = event.event_index
            self._note(event, turns)
            kept = min(kept, len(self.steps))
        if version != self.situation.version:
            base = self.situation if kept == self.situation.steps else self._initial
            self.situation = situation or self.situation_after(len(self.steps), version, base)

    def _note(self, event: Event, turns: list[int]) -> None:
        """Note an event; `turns` counts the turns of each seat."""
        number, kind, _, seat, text, key, seats = event
        if kind in STEPS:
            self.steps.append(Step(seat, text))
            if seat is None:
                self.chance_steps_taken += 1
                if self._latest is not None:  # what chance does after a turn belongs to that turn
                    self._latest.version = number
            else:
                self._latest = PlayedTurn(seat, turns[seat], text, number)
                turns[seat] += 1
                if key is not None:
                    self.played_turns[key] = self._latest
        elif kind == "take_back":
            for step in self.steps[int(text) :]:
                if step.player is not None:
                    turns[step.player] -= 1
            del self.steps[int(text) :]
            self.taken_back += 1
            self._latest = None
        elif kind == "rematch":
            self.rematch = text
        elif seat is not None:
            (self.seats[seat],) = seats
            self.is_full = _all_taken(self.seats)

    def steps_before_last_turn(self, seat: int) -> int:
        """How many steps had been made before the last turn of a seat; -1 where it has played none."""
        return max((place for place, step in enumerate(self.steps) if step.player == seat), default=-1)

    def played_at(self, seat: int, number: int) -> int:
        """The version to which the turn of a seat led that came last with this number; 0 where it has no key."""
        found = (
            turn.version for turn in self.played_turns.values() if (turn.seat_index, turn.turn_index) == (seat, number)
        )
        return max(found, default=0)

    def situation_after(self, steps: int, version: int, base: Situation | None = None) -> Situation:
        """Return where the match stood after so many of its steps, as the situation of this version.

        It is worked out from `base`, or from the beginning.
        """
        situation = base or self._initial
        for step in self.steps[situation.steps : steps]:
            situation = situation.after(version, step, situation.position.apply(step), self.by_rounds)
        return replace(situation, version=version)

    def turn_identity(self, seat: int) -> tuple[int, int, Seat]:
        """Which turn of a seat it is, and who sits there: as long as that is the same, it is the same question."""
        return self.taken_back, self.situation.turns[seat], self.seats[seat]

    def bots_to_move(self) -> dict[int, str]:
        """Return the seats whose bots are to move, each with which turn it is and the bot."""
        return _bots_to_move(self.seats, self.situation, self.taken_back)

    # --- as it is stored

    def to_saved(self, pending: PendingEvents) -> SavedMatch:
        """The match as it is stored when it is new, with what happens at once."""
        created = Event(0, "created", self.created_at, seats=tuple(self.seats))
        return SavedMatch(
            id=self.id,
            game=self.game.name,
            start=self.start_pack,
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
        """The match that was stored."""
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
    """What is to happen next in a match, judged against what is saved of it. Nobody knows of it until it is, too."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.requeues = False
        """Whether the jobs of all bots that are to move are written, as if there were none."""
        self._chance_steps = match.chance_steps_taken
        self._at = now()
        self.situation = match.situation
        """After the events."""
        self.expected = match.version
        """The version of the match that the events follow."""
        self.events: list[Event] = []
        self.rematch: NewMatch | None = None
        """The rematch, where that is what happens."""

    def add(self, kind: EventKind, text: str = "", seat: int | None = None, seats: tuple[Seat, ...] = ()) -> None:
        """Something that is no step."""
        version = self.situation.version + 1
        self.events.append(Event(version, kind, self._at, seat, text, seats=seats))
        self.situation = replace(self.situation, version=version)

    def play(self, seat: int, turn: Any, key: str | None) -> None:
        """A turn, if it is legal, and what chance does then."""
        self._step(Step(seat, str(turn)), self.situation.position.play(turn, seat), key)
        self.draw()

    def take_back(self, seat: int) -> None:
        """The last turn of a seat, and whatever was played since, as if it had not been."""
        version, steps = self.situation.version + 1, self.match.steps_before_last_turn(seat)
        self.events.append(Event(version, "take_back", self._at, seat, str(steps)))
        self.situation = self.match.situation_after(steps, version)

    def draw(self) -> None:
        """Whatever chance has to do now."""
        position, order = self.situation.position, self.match.chance_outcomes
        while position.awaits_chance:
            ahead = self._chance_steps < len(order)
            step = Step(None, order[self._chance_steps]) if ahead else position.chance(_RNG)
            self._chance_steps += 1
            position = position.apply(step)
            self._step(step, position)

    def _step(self, step: Step, position: Position, key: str | None = None) -> None:
        version = self.situation.version + 1
        kind: EventKind = "chance" if step.player is None else "turn"
        self.events.append(Event(version, kind, self._at, step.player, step.text, key))
        self.situation = self.situation.after(version, step, position, self.match.by_rounds)

    def to_append(self, jobs: tuple[Job, ...], done_jobs: tuple[str, ...]) -> Append:
        """As it is sent to be saved."""
        match, over = self.match, self.situation.outcome is not None
        return Append(match.id, self.expected, tuple(self.events), over, self.rematch, jobs, done_jobs)

    @property
    def version(self) -> int:
        """The version to which the pending leads."""
        return self.situation.version

    def bots_to_move(self) -> dict[int, str]:
        """Return the seats whose bots are to move then, as `Match.bots_to_move` does."""
        seats, taken_back = self.match.seats, self.match.taken_back
        for event in self.events:
            taken_back += event.kind == "take_back"
            if event.seat_index is not None and event.seats:
                seats = [*seats[: event.seat_index], *event.seats, *seats[event.seat_index + 1 :]]
        return _bots_to_move(seats, self.situation, taken_back)


def _bots_to_move(seats: Sequence[Seat], situation: Situation, taken_back: int) -> dict[int, str]:
    if not _all_taken(seats):
        return {}
    return {
        seat: f"{situation.turns[seat]}.{taken_back} {level}"
        for seat in situation.to_move
        if (level := seats[seat].bot) is not None
    }
