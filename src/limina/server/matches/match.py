"""A match in memory: what is saved, and what is on its way to be."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random, SystemRandom
from typing import Any

from limina import games
from limina.bots import Bot
from limina.commitment import commit
from limina.presenter import presenter_of
from limina.protocols import Game, Position, Step
from limina.server.model import Change, Phase, SavedMatch, SavedStep, Seat
from limina.server.storage import Saved

_RNG: Random = SystemRandom()


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def hash_of(key: str) -> str:
    """What is stored of a seat's key. The keys are long and random, so a plain hash is enough."""
    return hashlib.sha256(key.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a match stands after some of the things that happened in it."""

    version: int
    """How many things those are."""
    steps: int
    """How many of them were steps."""
    position: Position
    turns: tuple[int, ...]
    """How many turns each seat has played."""
    round_start: Position
    """The position in which the open round began; turn by turn, simply the position."""
    steps_before_round: int
    """How many steps had been made then."""

    def after(self, step: Step, position: Position, by_rounds: bool) -> Situation:
        """The situation one step later."""
        version, steps, turns = self.version + 1, self.steps + 1, self.turns
        if step.player is not None:
            seat = step.player
            turns = (*turns[:seat], turns[seat] + 1, *turns[seat + 1 :])
            if by_rounds and position.progress == self.position.progress:  # the round goes on
                return Situation(version, steps, position, turns, self.round_start, self.steps_before_round)
        return Situation(version, steps, position, turns, position, steps)


@dataclass(slots=True)
class Played:
    """A turn that was accepted, so that the same one sent again gets the same answer."""

    seat: int
    number: int
    text: str
    version: int
    saved: Saved | None = None
    """While it is on its way to the disk: whether it gets there."""


Listener = Callable[["Match", Situation | None], None]
"""Called with the situation before a turn, or None where something else happened: seats, a rematch, a failure."""


@dataclass(eq=False)
class Match:
    """One match. `head` is where it stands once all is saved that was accepted; only `shown` may be told."""

    id: str
    game: Game
    start: Position
    seats: list[Seat]
    hidden: bool
    order: tuple[str, ...]
    """All that chance will do."""
    salt: str
    created: int
    options: dict[str, Any]
    """As they were chosen, for a rematch."""
    spectators: bool = True
    """Whether those who hold no seat may watch."""
    rematch: str | None = None
    steps: list[Step] = field(default_factory=list)
    played: dict[str, Played] = field(default_factory=dict)
    listeners: set[Listener] = field(default_factory=set)
    bots: dict[int, Bot] = field(default_factory=dict)
    thinking: set[int] = field(default_factory=set)
    """The seats whose bots think just now."""
    asleep: bool = False
    """Whether it was only looked up for a list: its bots wait until somebody looks at the match itself."""
    chances: int = 0
    """How often chance did its part."""
    steps_in_start: int = 0
    """How many of the first steps are stored with the start and not counted in the version: so did 0.1.0 with what is
    laid before the first turn."""
    seating: asyncio.Lock = field(default_factory=asyncio.Lock)
    saving: Saved | None = None
    """The last change that was sent to be saved: the next one builds on it."""
    broken: bool = False
    """Whether something could not be saved: what is in memory must not be believed any more."""

    def __post_init__(self) -> None:
        self.head = self.shown = Situation(0, 0, self.start, (0,) * len(self.seats), self.start, 0)
        self.by_rounds = self.game.spec.simultaneous
        self.presenter = presenter_of(self.game)

    @cached_property
    def commitment(self) -> str | None:
        """What binds the server to the order of all cards."""
        return commit(self.salt, self.order) if self.order and self.game.spec.chance == "during" else None

    @cached_property
    def start_pack(self) -> dict[str, Any]:
        """The record's own part before the first step."""
        return self.game.pack(self.start, ())

    @property
    def version(self) -> int:
        """Grows with everything that is saved."""
        return self.shown.version

    @property
    def full(self) -> bool:
        """Whether somebody sits on every seat."""
        return all(seat.kind != "open" for seat in self.seats)

    @property
    def over(self) -> bool:
        """Whether the game is over, for all to see."""
        return self.shown.position.outcome is not None

    @property
    def phase(self) -> Phase:
        """Waiting for players, playing or over."""
        if not self.full:
            return "waiting"
        return "over" if self.over else "playing"

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that may play a turn now."""
        return self.shown.position.to_move if self.full else ()

    def seats_of(self, keys: Iterable[str]) -> tuple[int, ...]:
        """The seats that these keys hold."""
        hashes = {hash_of(key) for key in keys}
        return tuple(number for number, seat in enumerate(self.seats) if seat.key_hash in hashes)

    def admits(self, mine: tuple[int, ...]) -> bool:
        """Whether whoever holds these seats may look; while seats are open, whoever has the link may take one."""
        return self.spectators or bool(mine) or not self.full

    # --- going on

    def advance(self, step: Step, position: Position) -> list[Step]:
        """Move the head on by a player's step, and by what chance does then; all the steps."""
        self.head = self.head.after(step, position, self.by_rounds)
        self.steps.append(step)
        return [step, *self.apply_chance()]

    def apply_chance(self) -> list[Step]:
        """Move the head on by whatever chance has to do now; its steps."""
        made = []
        position = self.head.position
        while position.awaits_chance:
            ahead = self.chances < len(self.order)
            step = Step(None, self.order[self.chances]) if ahead else position.chance(_RNG)
            self.chances += 1
            position = position.apply(step)
            self.head = self.head.after(step, position, self.by_rounds)
            made.append(step)
        self.steps += made
        return made

    def count_change(self) -> None:
        """Move the head on by something that is no step."""
        self.head = replace(self.head, version=self.head.version + 1)

    def saved_steps(self, made: list[Step], key: str | None = None) -> tuple[SavedStep, ...]:
        """The last steps of the head as they are saved; the key is that of the first."""
        at, count = now(), len(made)
        number = self.head.steps - self.steps_in_start - count
        version = self.head.version - count + 1
        return tuple(
            SavedStep(number + place, version + place, step.player, step.text, key if place == 0 else None, at)
            for place, step in enumerate(made)
        )

    @property
    def changes(self) -> int:
        """How many things besides steps will have happened once all is saved."""
        return self.head.version - (self.head.steps - self.steps_in_start)

    def settle(self, change: Change, situation: Situation) -> None:
        """Show what a change that is saved has led to, and tell everybody."""
        before, self.shown = self.shown, situation
        if change.seated is not None:
            number, seat = change.seated
            self.seats[number] = seat
        if change.rematch is not None:
            self.rematch = change.rematch
        self.notify(before if change.changes is None else None)

    def notify(self, before: Situation | None) -> None:
        """Tell everybody that something was saved."""
        for listener in tuple(self.listeners):
            listener(self, before)

    # --- as it is stored

    def to_saved(self) -> SavedMatch:
        """The match as it is stored when it is new, without its steps."""
        return SavedMatch(
            id=self.id,
            game=self.game.name,
            start=self.start_pack,
            options=self.options,
            hidden=self.hidden,
            spectators=self.spectators,
            order=self.order,
            salt=self.salt,
            created=self.created,
            seats=tuple(self.seats),
        )

    @classmethod
    def restore(cls, saved: SavedMatch) -> Match:
        """The match that was stored."""
        game = games.game(saved.game)
        start, located = game.unpack(saved.start, len(saved.seats))
        match = cls(
            id=saved.id,
            game=game,
            start=start,
            seats=list(saved.seats),
            hidden=saved.hidden,
            order=saved.order,
            salt=saved.salt,
            created=saved.created,
            options=saved.options,
            spectators=saved.spectators,
            rematch=saved.rematch,
            steps_in_start=len(located),
        )
        latest: Played | None = None
        head = match.head
        for step, _ in located:
            head = head.after(step, head.position.apply(step), match.by_rounds)
            match.steps.append(step)
            match.chances += 1
        for each in saved.steps:
            step = Step(each.player, each.text)
            if each.player is None:
                match.chances += 1
            else:
                latest = Played(each.player, head.turns[each.player], each.text, each.version)
                if each.key is not None:
                    match.played[each.key] = latest
            head = head.after(step, head.position.apply(step), match.by_rounds)
            match.steps.append(step)
            if latest is not None:  # what chance does after a turn belongs to that turn
                latest.version = each.version
        match.head = match.shown = replace(head, version=saved.version)
        return match
