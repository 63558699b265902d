"""A match in memory: what is saved, and what is on its way to be."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from random import Random, SystemRandom
from typing import Any

from limina import games
from limina.commitment import commit
from limina.presenter import presenter_of
from limina.protocols import Game, Position, Step
from limina.server.schemas import Phase
from limina.server.store import Stored

_RNG: Random = SystemRandom()


def hash_of(key: str) -> str:
    """What is stored of a seat's key. The keys are long and random, so a plain hash is enough."""
    return hashlib.sha256(key.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Failed:
    """A bot of the host that sat here until it failed."""

    bot: str
    how: str
    at: int
    """After how many steps one of ours took its place."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits here."""

    kind: str
    name: str
    bot: str | None = None
    key_hash: str | None = None
    failed: Failed | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a match stands after some of its steps."""

    steps: int
    position: Position
    turns: tuple[int, ...]
    """How many turns each seat has played."""
    opened: Position
    """The position in which the open round began; turn by turn, simply the position."""
    mark: int
    """How many steps had been made then."""

    def after(self, step: Step, position: Position, by_rounds: bool) -> Situation:
        """The situation one step later."""
        turns = self.turns
        if step.player is not None:
            seat = step.player
            turns = (*turns[:seat], turns[seat] + 1, *turns[seat + 1 :])
        if by_rounds and step.player is not None:
            return Situation(self.steps + 1, position, turns, self.opened, self.mark)
        return Situation(self.steps + 1, position, turns, position, self.steps + 1)


@dataclass(slots=True)
class Played:
    """A turn that was accepted, so that the same one sent again gets the same answer."""

    seat: int
    number: int
    text: str
    version: int
    saved: asyncio.Future[None] | None = None
    """Set while it is on its way to the disk."""


Listener = Callable[["Match", Situation], None]
"""Called with the situation before, or the same one where something else than a step happened."""


@dataclass(eq=False)
class Match:
    """One match. `head` is where it stands once all is saved that was accepted; only `shown` may be told."""

    id: str
    game: Game
    start: Position
    seats: list[Seat]
    hidden: bool
    order: tuple[str, ...]
    salt: str
    created: int
    chosen: dict[str, Any]
    """The options as they were chosen, for a rematch."""
    spectators: bool = True
    """Whether those who hold no seat may watch."""
    changes: int = 0
    rematch: str | None = None
    updated: int = 0
    steps: list[Step] = field(default_factory=list)
    played: dict[str, Played] = field(default_factory=dict)
    listeners: set[Listener] = field(default_factory=set)
    bots: dict[int, Any] = field(default_factory=dict)
    thinking: set[int] = field(default_factory=set)
    chances: int = 0
    """How often chance did its part."""
    seating: asyncio.Lock = field(default_factory=asyncio.Lock)
    broken: bool = False
    """Whether something could not be saved: what is in memory must not be believed any more."""

    def __post_init__(self) -> None:
        self.head = self.shown = Situation(0, self.start, (0,) * len(self.seats), self.start, 0)
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
        return self.shown.steps + self.changes

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

    def forward(self, step: Step, position: Position) -> list[Step]:
        """Advance the head by a player's step, and by what chance does then; all the steps."""
        made = [step]
        self.head = self.head.after(step, position, self.by_rounds)
        made += self.let_chance()
        self.steps += [step, *made[1:]]
        return made

    def let_chance(self) -> list[Step]:
        """Let chance do its part if it is awaited; its steps, which the caller keeps."""
        made = []
        position = self.head.position
        while position.awaits_chance:
            ahead = self.chances < len(self.order)
            step = Step(None, self.order[self.chances]) if ahead else position.chance(_RNG)
            self.chances += 1
            position = position.apply(step)
            self.head = self.head.after(step, position, self.by_rounds)
            made.append(step)
        return made

    def settle(self, situation: Situation) -> None:
        """Show what is saved, and tell everybody."""
        before, self.shown = self.shown, situation
        self.tell(before)

    def tell(self, before: Situation) -> None:
        """Tell everybody that something was saved."""
        for listener in tuple(self.listeners):
            listener(self, before)

    @classmethod
    def restore(cls, stored: Stored) -> Match:
        """The match as it was stored."""
        row = stored.match
        game = games.game(row.game)
        pack = json.loads(row.start)
        start, _ = game.unpack(pack, len(stored.seats))
        match = cls(
            row.id,
            game,
            start,
            [_seat(seat) for seat in stored.seats],
            row.hidden,
            tuple(row.secret_order.split(",")) if row.secret_order else (),
            row.secret_salt,
            row.created,
            pack["chosen"],
            row.spectators,
            row.changes,
            row.rematch,
            row.created,
        )
        replaced = [seat.failed.at for seat in match.seats if seat.failed is not None]
        changes = row.changes - (row.rematch is not None) - len(replaced)
        latest: Played | None = None
        for saved in stored.steps:
            step = Step(saved.player, saved.text)
            number = match.head.turns[saved.player] if saved.player is not None else 0
            match.head = match.head.after(step, match.head.position.apply(step), match.by_rounds)
            match.steps.append(step)
            match.updated = saved.at
            match.chances += saved.player is None
            if saved.player is not None:
                latest = Played(saved.player, number, saved.text, 0)
                if saved.turn_key is not None:
                    match.played[saved.turn_key] = latest
            if latest is not None:  # what chance does after a turn belongs to that turn
                latest.version = match.head.steps + changes + sum(at < match.head.steps for at in replaced)
        match.shown = match.head
        return match


def _seat(row: Any) -> Seat:
    failed = None if row.failed_bot is None else Failed(row.failed_bot, row.failed_how, row.failed_at)
    return Seat(row.kind, row.name, row.bot, row.key_hash, failed)
