"""The dice game Pig, as a third-party package provides it to limina."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Literal

from limina import Game, IllegalTurnError, InvalidInputError, Outcome, Step
from limina.bots.base import Bot, BotFactory, Budget, Candidate, Choice, SearchInfo
from limina.core.position import resolve_player
from limina.core.record import Record
from limina.core.spec import GameSpec, OptionSpec

Turn = Literal["roll", "hold"]


@dataclass(frozen=True, slots=True)
class Position:
    """The points of all players, and the pot of the player to move, which they can still lose."""

    goal: int
    scores: tuple[int, ...]
    current_player: int = 0
    pot: int = 0
    rolling: bool = False
    progress: int = 0

    @property
    def players(self) -> int:
        return len(self.scores)

    @property
    def outcome(self) -> Outcome | None:
        best = max(self.scores)
        winners = (self.scores.index(best),) if best >= self.goal else ()
        return Outcome(winners, f"player {winners[0] + 1} wins with {best} points") if winners else None

    @property
    def awaits_chance(self) -> bool:
        return self.rolling

    @property
    def to_move(self) -> tuple[int, ...]:
        return () if self.rolling or self.outcome else (self.current_player,)

    def draw_chance_step(self, rng: Random) -> Step:
        return Step(None, str(rng.randint(1, 6)))

    def legal_turns(self, player: int | None = None) -> Sequence[Turn]:
        if (player is not None and resolve_player(self, player) not in self.to_move) or not self.to_move:
            return ()
        return ("hold", "roll") if self.pot else ("roll",)

    def play(self, turn: str, player: int | None = None) -> Position:
        player = resolve_player(self, player)
        read_turn(turn)
        if player not in self.to_move:
            raise IllegalTurnError("the game is over" if self.outcome else "it is another player's turn")
        if turn not in self.legal_turns(player):
            raise IllegalTurnError("there is nothing to hold yet: roll first")
        if turn == "roll":
            return replace(self, rolling=True, progress=self.progress + 1)
        scores = (*self.scores[:player], self.scores[player] + self.pot, *self.scores[player + 1 :])
        return replace(self._end_turn(), scores=scores, progress=self.progress + 1)

    def apply(self, step: Step) -> Position:
        if step.player is not None:
            return self.play(step.text, step.player)
        if not self.rolling or step.text not in ("1", "2", "3", "4", "5", "6"):
            raise IllegalTurnError(f"{step.text!r} cannot be rolled now")
        return self._end_turn() if step.text == "1" else replace(self, rolling=False, pot=self.pot + int(step.text))

    def _end_turn(self) -> Position:
        return replace(self, rolling=False, pot=0, current_player=(self.current_player + 1) % self.players)

    def summary(self, names: Sequence[str]) -> dict[str, Any]:
        winners = list(self.outcome.winners) if self.outcome else []
        return {"over": bool(winners), "winners": winners, "scores": dict(zip(names, self.scores, strict=True))}

    def text(self, *, color: bool = False, player: int | None = None) -> str:
        points = ", ".join(map(str, self.scores))
        line = f"{points} of {self.goal} points, {self.pot} in the pot of player {self.current_player + 1}"
        return f"\x1b[1m{line}\x1b[0m" if color else line

    def svg(self, *, theme: str = "light", player: int | None = None) -> str:
        ink = "white" if theme == "dark" else "black"
        label = f'<text x="8" y="24" fill="{ink}">{self.text()}</text>'
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="420" height="40">{label}</svg>'

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<pig position: {self.text()}>"


def read_turn(text: str) -> Turn:
    if text not in ("roll", "hold"):
        raise InvalidInputError(f"{text[:20]!r} is not a turn: write roll or hold")
    return "roll" if text == "roll" else "hold"


class Patient(Bot[Position, Turn]):
    """Hold once the pot has at least the expected points of another roll."""

    def __init__(self, *, seed: int = 0, threads: int = 1, boldness: float = 1.0) -> None:
        self._boldness = boldness

    def choose(self, record: Record[Position, Turn], player: int, budget: Budget) -> Choice[Turn]:
        position = record.position
        values = {turn: self._value(position, player, turn) for turn in position.legal_turns(player)}
        best = sorted((Candidate(turn, value) for turn, value in values.items()), key=lambda entry: -entry.value)
        return Choice(best[0].turn, SearchInfo(best[0].value, tuple(best)))

    def _value(self, position: Position, player: int, turn: Turn) -> float:
        """Return the expected share of the goal if the pot is held now, or after one more roll."""
        before, pot = position.scores[player], position.pot
        if turn == "hold":
            return min(1.0, (before + pot) / position.goal)
        return min(1.0, self._boldness * (5 * min(position.goal, before + pot + 4) + before) / 6 / position.goal)


class Pig(Game[Position, Turn]):
    """The game, for the registry."""

    spec = GameSpec(
        name="pig",
        title="Pig",
        summary="Roll as often as you dare, and hold before the one comes.",
        rules="Roll to fill the pot. A one empties it and ends your turn.\nHold to keep it. Reach the goal to win.",
        unit="turn",
        players=range(2, 5),
        max_seats=4,
        chance="during",
        options=(OptionSpec("goal", "number", "points to win", default=30, allowed=range(10, 101)),),
    )
    bots: Mapping[str, BotFactory] = {"patient": Patient}

    def start(self, players: int = 2, **options: Any) -> Position:
        return Position(self.spec.check_options(options)["goal"], (0,) * self.spec.check_players(players))

    def read_turn(self, text: str) -> Turn:
        return read_turn(text)

    def options_of(self, start: Position) -> dict[str, Any]:
        return {"goal": start.goal}


GAME = Pig()
