"""A position of Limes: the cards drawn so far and every player's display."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, SupportsIndex

from limina._kernel import limes as kernel
from limina.core.draft import Draft
from limina.core.legal_turns import LegalTurns
from limina.core.position import ImmutablePositionMixin, Outcome, Step, resolve_player
from limina.core.rng import RandomSource, as_random
from limina.core.validation import expect_int, quote_truncated
from limina.errors import IllegalTurnError, InvalidInputError
from limina.limes.decks.deck import Deck
from limina.limes.display import Display
from limina.limes.illegal_turn_text import how_it_ended, why_not
from limina.limes.notation import Turn, encode


@dataclass(frozen=True, slots=True)
class Position(ImmutablePositionMixin):
    """Where a game of Limes stands.

    >>> position = Position.start().draw(17).play("d4r0 +nw").draw(3)
    >>> "e4r1 d4.nw>d4.sw" in position.legal_turns()
    True
    >>> position.play("f4r0")
    Traceback (most recent call last):
    limina.errors.IllegalTurnError: f4 is not beside any card
    """

    deck: Deck
    draws: tuple[int, ...]
    boards: tuple[kernel.Display, ...]

    @classmethod
    def start(
        cls, players: int = 1, *, deck: Deck | None = None, diagonal: bool = False, ferryman: bool = False
    ) -> Position:
        """The position before the first card."""
        if players < 1:
            raise InvalidInputError("a game needs at least one player")
        return cls(deck or Deck.default(), (), (kernel.Display(diagonal, ferryman),) * players)

    # --- where it stands

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.boards)

    @property
    def diagonal(self) -> bool:
        """Whether touching a card at a corner is enough."""
        return self.boards[0].diagonal

    @property
    def ferryman(self) -> bool:
        """Whether workers may cross water in which a worker stands."""
        return self.boards[0].ferryman

    @property
    def round(self) -> int:
        """The number of rounds that all players have finished."""
        return min(board.cards for board in self.boards)

    @property
    def to_move(self) -> tuple[int, ...]:
        """The players who have not yet laid the card of this round."""
        return tuple(player for player, board in enumerate(self.boards) if board.cards < len(self.draws))

    @property
    def awaits_chance(self) -> bool:
        """Whether the next card has to be drawn."""
        return self.round == len(self.draws) < kernel.ROUNDS

    @property
    def card(self) -> int | None:
        """The card of the open round, 1 to 24."""
        return self.draws[-1] if self.round < len(self.draws) else None

    @property
    def unseen(self) -> tuple[int, ...]:
        """The cards that have not been drawn."""
        return tuple(card for card in range(1, kernel.CARDS + 1) if card not in self.draws)

    @property
    def progress(self) -> int:
        """How many rounds are complete."""
        return self.round

    @property
    def outcome(self) -> Outcome | None:
        """Who won, once 16 rounds are complete."""
        if self.round < kernel.ROUNDS:
            return None
        totals = [board.total() for board in self.boards]
        winners = tuple(kernel.winners(self.boards))
        return Outcome(winners, how_it_ended(totals, winners, self.rating))

    @property
    def rating(self) -> str | None:
        """The wording for a lone player's total once the game is over."""
        alone = self.players == 1 and self.round == kernel.ROUNDS
        return kernel.rating(self.boards[0].total()) if alone else None

    def display(self, player: int = 0) -> Display:
        """A player's display."""
        return Display(self.boards[player])

    # --- how it goes on

    def chance(self, rng: RandomSource) -> Step:
        """One of the unseen cards."""
        return Step(None, str(as_random(rng).choice(self.unseen)))

    def draw(self, card: SupportsIndex) -> Position:
        """Open the next round with this card."""
        card = expect_int(card, "a card", range(1, kernel.CARDS + 1))
        if card in self.draws:
            raise IllegalTurnError(f"card {card} was drawn in round {self.draws.index(card) + 1} already")
        if not self.awaits_chance:
            if self.round == kernel.ROUNDS:
                raise IllegalTurnError("the game is over")
            raise IllegalTurnError("a round opens only when all players have finished the one before")
        return replace(self, draws=(*self.draws, card))

    def legal_turns(self, player: int | None = None) -> LegalTurns[Turn]:
        """Every legal turn of a player with the card of this round, or of the only one to move."""
        codes: Sequence[int] = ()
        if player is not None or len(self.to_move) == 1:
            player = resolve_player(self, player)
            if player in self.to_move:
                codes = self.boards[player].legal_turns(self._drawn)
        return LegalTurns(codes, Turn.from_code, encode)

    def draft(self, player: int | None = None) -> Draft[Turn]:
        """A turn to be chosen part by part, for a player or for the only one to move."""
        return Draft.of(self.legal_turns(resolve_player(self, player)))

    def play(self, turn: Turn | str | SupportsIndex, player: int | None = None) -> Position:
        """Play a turn, also by its notation or number, for a player or for the only one to move."""
        undrawn = "no card has been drawn for this round"
        if player is None and self.awaits_chance:
            raise IllegalTurnError(undrawn)
        player = resolve_player(self, player)
        code = encode(turn)
        if player not in self.to_move:
            if self.round == kernel.ROUNDS:
                raise IllegalTurnError("the game is over")
            raise IllegalTurnError(undrawn if self.awaits_chance else "this player has moved in this round")
        after = self.boards[player].play(self._drawn, code)
        if isinstance(after, kernel.Problem):
            raise IllegalTurnError(why_not(after, Turn.from_code(code), diagonal=self.diagonal))
        boards = (*self.boards[:player], after, *self.boards[player + 1 :])
        return replace(self, boards=boards)

    def apply(self, step: Step) -> Position:
        """Do what a step says: draw a card, or play a turn."""
        if step.player is not None:
            return self.play(step.text, step.player)
        if not step.text.isdecimal() or len(step.text) > 2:
            raise InvalidInputError(f"{quote_truncated(step.text)} is not the number of a card")
        return self.draw(int(step.text))

    def playouts(self, games: int, seed: int, player: int = 0) -> list[int]:
        """How often random play to the end brought a player each total (the index)."""
        unseen = sum(1 << card - 1 for card in self.unseen)
        drawn = self.draws[-1] - 1 if player in self.to_move else -1
        return self.boards[player].playouts(self.deck.cards, unseen, drawn, games, seed)

    @property
    def _drawn(self) -> kernel.Card:
        return self.deck.cards[self.draws[-1] - 1]

    # --- how it looks

    @property
    def line(self) -> str:
        """The position in one line of text, which `limes.position` reads back."""
        from limina.limes.position_string import write

        return write(self)

    def summary(self, names: Sequence[str]) -> dict[str, Any]:
        """Where the game stands, as `limina replay --json` prints it."""
        outcome = self.outcome
        return {
            "over": outcome is not None,
            "round": self.round,
            "winners": list(outcome.winners) if outcome else [],
            "players": [
                {
                    "name": name,
                    "total": board.total(),
                    "supply": board.supply,
                    "rating": self.rating,
                    "workers": [
                        {"zone": w.zone, "profession": w.profession, "points": w.points, "scored": w.scored}
                        for w in Display(board).scores
                    ],
                }
                for name, board in zip(names, self.boards, strict=True)
            ],
        }

    def text(self, *, color: bool = False, player: int | None = None) -> str:
        """The displays for a terminal, and the card of the round; with a player, only theirs and where it may go."""
        # The drawings are loaded when something is drawn: most programs never look.
        from limina.limes.draw import text

        shown = range(self.players) if player is None else (player,)
        parts = []
        for each in shown:
            display = self.display(each)
            frames = display.open_cells if player is not None and each in self.to_move else ()
            name = f"Player {each + 1}: " if self.players > 1 else ""
            parts.append(f"{name}{display.total} points, {display.supply} workers in the supply")
            parts.append(text.draw(display.scene(each, frames=frames), color=color))
        if self.card is not None:
            face = self.deck.faces[self.card - 1]
            parts.append(f"Round {len(self.draws)} of {kernel.ROUNDS}, card {self.card}: {face}")
            parts.append(text.draw_cards([self.deck.scene()[self.card - 1]], color=color, numbers=False))
        outcome = self.outcome
        if outcome is not None:
            parts.append(outcome.reason[0].upper() + outcome.reason[1:] + ".")
        return "\n".join(parts)

    def svg(self, *, theme: str = "light", player: int | None = None) -> str:
        """The displays as a picture, side by side; with a player, only theirs."""
        from limina.gamekit.svg import side_by_side
        from limina.limes.draw import svg

        shown = range(self.players) if player is None else (player,)
        scenes = [self.display(each).scene(each) for each in shown]
        return side_by_side([svg.draw(scene, theme="dark" if theme == "dark" else "light") for scene in scenes])

    def __repr__(self) -> str:
        return f"<limes position: {self.players} players, {self.round} of {kernel.ROUNDS} rounds complete>"
