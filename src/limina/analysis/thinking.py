"""What turns are worth, as a bot that can say what it thinks sees them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, Protocol, runtime_checkable

from limina.bots import Bot, Candidate, Thinker, bot, bot_names
from limina.protocols import Game, LiminaError, Position

SAMPLES = 8
"""How many ways of chance are looked at after a turn that the thinker itself did not weigh."""
QUICK = 0.25
"""How closely each of them is looked at: many glances say more of a mean than a few long looks."""
WORK_WORDS = ("work", "nodes", "rollouts")


@runtime_checkable
class Judge(Protocol):
    """A thinker that can put a value on any turn, also on one that it would never play."""

    def judge(self, position: Any, player: int, turn: Any) -> float:
        """What the turn is worth to the player, in the unit of its thoughts."""


Level = str | Callable[..., Bot]
"""A bot of the game by its name, or whatever makes a thinker when called with `seed` and `threads`."""


def thinker(
    game: Game,
    level: Level | None = None,
    *,
    seed: int = 0,
    threads: int = 1,
    work: int | None = None,
    share: float = 1.0,
) -> Thinker:
    """The bot that thinks about a game: the one asked for, else the game's usual one, else the best there is.

    The usual one does its share of the usual work, where it can be told how much.
    """
    if level is not None:
        make = level if callable(level) else partial(bot, game, level)
        found = _made(make, level if isinstance(level, str) else "given", game, seed, threads, work)
        if isinstance(found, Thinker):
            return found
        raise LiminaError(f"that bot does not say what it thinks: choose one of {_thinkers(game)}")
    for name in (game.scale.level, *reversed(tuple(game.bots))):
        if name in game.bots and (work is None or _work_word(game.bots[name])):
            usual = None
            if game.scale.work is not None and name == game.scale.level and _work_word(game.bots[name]):
                usual = max(1, round(game.scale.work * share))
            found = _made(game.bots[name], name, game, seed, threads, usual if work is None else work)
            if isinstance(found, Thinker):
                return found
    raise LiminaError(
        f"no bot of {game.title} says what it thinks{'' if work is None else ' and can be told its work'}"
    )


def _made(make: Callable[..., Bot], name: str, game: Game, seed: int, threads: int, work: int | None) -> Bot:
    if work is None:
        return make(seed=seed, threads=threads)
    make = game.bots.get(name, make)
    word = _work_word(make)
    if word is None:
        raise LiminaError(f"the bot {name} cannot be told how much to work")
    return make(seed=seed, threads=threads, **{word: work})


def _work_word(make: Callable[..., Bot]) -> str | None:
    """What a bot calls the work it is bounded by, if it can be told."""
    known = inspect.signature(make).parameters
    return next((word for word in WORK_WORDS if word in known), None)


def _thinkers(game: Game) -> str:
    found = [name for name in bot_names(game) if isinstance(bot(game, name), Thinker)]
    return ", ".join(found) or "none yet"


def hurry(mind: Thinker) -> None:
    """Let a thinker that has a bell to be rung end its thoughts at once."""
    bell = getattr(mind, "stop", None)
    if bell is not None:
        bell.set()


@dataclass(frozen=True, slots=True)
class Weighed:
    """What is known of a position before a turn."""

    best: object
    value: float
    candidates: tuple[Candidate, ...]
    """Best first, and no two that lead to the same."""


def weigh(mind: Thinker, position: Position, player: int) -> Weighed:
    """Let the thinker think, and take turns with the same effect for one."""
    thought = mind.think(position, player)
    found: dict[Any, Candidate] = {}
    for candidate in thought.candidates:
        found.setdefault(position.play(candidate.turn, player), candidate)
    return Weighed(thought.turn, thought.value, tuple(found.values()))


def worth_of(
    mind: Thinker,
    quick: Thinker,
    game: Game,
    position: Position,
    player: int,
    turn: object,
    weighed: Weighed,
    seed: int,
) -> float:
    """What a turn is worth: as weighed already, or else by looking at what comes after it."""
    after = position.play(turn, player)
    if after.outcome is not None:
        return game.worth(after, player)
    for candidate in weighed.candidates:
        if position.play(candidate.turn, player) == after:
            return candidate.value
    if isinstance(mind, Judge):
        return mind.judge(position, player, turn)
    if game.turn_by_turn and position.players == 2:
        return 1 - mind.think(after, after.to_move[0]).value
    # The same chance after both turns: what is left is the difference between the turns.
    best = position.play(weighed.best, player)
    return weighed.value + _look_ahead(quick, game, after, player, seed) - _look_ahead(quick, game, best, player, seed)


def _look_ahead(mind: Thinker, game: Game, after: Position, player: int, seed: int) -> float:
    """The mean over some ways that chance may go, once the others have moved."""
    values = []
    for number in range(SAMPLES):
        chance, position, by_chance = Random(seed + number), after, False
        while position.outcome is None and player not in position.to_move:
            if position.awaits_chance:
                position, by_chance = position.chance(chance), True
                continue
            other = position.to_move[0]
            # Where all move at once the others hardly matter; where they answer, their answer is what counts.
            turn = mind.think(position, other).turn if game.turn_by_turn else position.legal_turns(other)[0]
            position = position.play(turn, other)
        over = position.outcome is not None
        values.append(game.worth(position, player) if over else mind.think(position, player).value)
        if not by_chance:
            break
    return sum(values) / len(values)
