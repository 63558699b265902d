"""Rock, paper, scissors: a third-party game in which all players move at once, without chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from limina import Game, IllegalTurnError, InvalidInputError, Outcome, Step
from limina.bots.base import Bot, BotFactory, Budget, Candidate, Choice, SearchInfo
from limina.core.position import resolve_player
from limina.core.record import Record
from limina.core.spec import GameSpec

THROWS = ("rock", "paper", "scissors")
MAX_ROUNDS = 12


@dataclass(frozen=True, slots=True)
class Position:
    """The rounds that each player won, and the throws of the current round."""

    scores: tuple[int, int] = (0, 0)
    thrown: tuple[str | None, str | None] = (None, None)
    progress: int = 0
    players = 2
    awaits_chance = False

    @property
    def outcome(self) -> Outcome | None:
        if 3 in self.scores:
            winner = self.scores.index(3)
            return Outcome((winner,), f"player {winner + 1} has won three rounds")
        return Outcome((0, 1), f"{MAX_ROUNDS} rounds are enough") if self.progress == MAX_ROUNDS else None

    @property
    def to_move(self) -> tuple[int, ...]:
        return () if self.outcome else tuple(player for player in (0, 1) if self.thrown[player] is None)

    def draw_chance_step(self, rng: Random) -> Step:
        raise IllegalTurnError("this game has no chance steps")

    def legal_turns(self, player: int | None = None) -> Sequence[str]:
        return THROWS if player is not None and resolve_player(self, player) in self.to_move else ()

    def play(self, turn: str, player: int | None = None) -> Position:
        player = resolve_player(self, player)
        read_turn(turn)
        if player not in self.to_move:
            raise IllegalTurnError("the game is over" if self.outcome else "you have already thrown in this round")
        first, second = (turn, self.thrown[1]) if player == 0 else (self.thrown[0], turn)
        if first is None or second is None:
            return replace(self, thrown=(first, second))
        lead = (THROWS.index(first) - THROWS.index(second)) % 3
        scores = (self.scores[0] + (lead == 1), self.scores[1] + (lead == 2))
        return Position(scores, progress=self.progress + 1)

    def apply(self, step: Step) -> Position:
        if step.player is None:
            raise IllegalTurnError("this game has no chance steps")
        return self.play(step.text, step.player)

    def summary(self, names: Sequence[str]) -> dict[str, Any]:
        winners = list(self.outcome.winners) if self.outcome else []
        return {"over": bool(winners), "winners": winners, "scores": list(self.scores)}

    def text(self, *, color: bool = False, player: int | None = None) -> str:
        line = f"round {self.progress + 1}, {self.scores[0]} to {self.scores[1]}"
        return f"\x1b[1m{line}\x1b[0m" if color else line

    def svg(self, *, theme: str = "light", player: int | None = None) -> str:
        ink = "white" if theme == "dark" else "black"
        label = f'<text x="8" y="24" fill="{ink}">{self.text()}</text>'
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40">{label}</svg>'

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<rps position: {self.text()}>"


def read_turn(text: str) -> str:
    if text not in THROWS:
        raise InvalidInputError(f"{text[:20]!r} is not a throw: write rock, paper or scissors")
    return text


class Counter(Bot[Position, str]):
    """Throw what beats the last throw of the opponent. It would win every round if it saw throws of the current one."""

    def __init__(self) -> None:
        self.closed = False

    def choose(self, record: Record[Position, str], player: int, budget: Budget) -> Choice[str]:
        throws = [step.text for step in record.steps if step.player == 1 - player]
        best = (THROWS.index(throws[-1]) + 1) % 3 if throws else 0
        ranked = tuple(Candidate(THROWS[(best - rank) % 3], 0.6 - 0.1 * rank) for rank in range(3))
        return Choice(ranked[0].turn, SearchInfo(ranked[0].value, ranked))

    def close(self) -> None:
        self.closed = True


class RockPaperScissors(Game[Position, str]):
    """The game, for the registry."""

    spec = GameSpec(
        name="rps",
        title="Rock, paper, scissors",
        summary="Throw what beats the other's throw, 100% guesswork.",
        rules="All throw at once: rock, paper or scissors.\nThe first player to win three rounds wins.",
        unit="round",
        players=range(2, 3),
        max_seats=2,
        simultaneous=True,
    )
    bots: Mapping[str, BotFactory] = {"counter": Counter}

    def start(self, players: int = 2, **options: Any) -> Position:
        self.spec.check_options(options)
        self.spec.check_players(players)
        return Position()

    def read_turn(self, text: str) -> str:
        return read_turn(text)


GAME = RockPaperScissors()
