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
from limina.limes.illegal_turn_text import illegal_turn_text, outcome_text
from limina.limes.notation import Turn, encode_turn


@dataclass(frozen=True, slots=True)
class Position(ImmutablePositionMixin):
    """An immutable position of Limes; `play`, `draw` and `apply` return the next one.

    >>> position = Position.start().draw_card(17).play("d4r0 +nw").draw_card(3)
    >>> "e4r1 d4.nw>d4.sw" in position.legal_turns()
    True
    >>> position.play("f4r0")
    Traceback (most recent call last):
    limina.errors.IllegalTurnError: f4 is not beside any card
    """

    deck: Deck
    draws: tuple[int, ...]
    """The cards drawn so far, 1 to 24, in the order of the rounds."""
    boards: tuple[kernel.Display, ...]
    """The kernel's display of each player."""

    @classmethod
    def start(
        cls, players: int = 1, *, deck: Deck | None = None, diagonal: bool = False, ferryman: bool = False
    ) -> Position:
        """Return the position before the first card; without a deck, limina's own is used."""
        if players < 1:
            raise InvalidInputError("a game needs at least one player")
        return cls(deck or Deck.default(), (), (kernel.Display(diagonal, ferryman),) * players)

    # --- state

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.boards)

    @property
    def diagonal(self) -> bool:
        """True in the variant in which a card may touch another at a corner only."""
        return self.boards[0].diagonal

    @property
    def ferryman(self) -> bool:
        """True in the variant in which workers may cross a water territory with a worker in it."""
        return self.boards[0].ferryman

    @property
    def round(self) -> int:
        """The number of rounds that all players have finished."""
        return min(board.card_count for board in self.boards)

    @property
    def to_move(self) -> tuple[int, ...]:
        """The players who have not yet laid the card of this round."""
        return tuple(player for player, board in enumerate(self.boards) if board.card_count < len(self.draws))

    @property
    def awaits_chance(self) -> bool:
        """True when the next card has to be drawn."""
        return self.round == len(self.draws) < kernel.ROUNDS

    @property
    def card(self) -> int | None:
        """The number of the card of the open round, 1 to 24; None between rounds."""
        return self.draws[-1] if self.round < len(self.draws) else None

    @property
    def unseen(self) -> tuple[int, ...]:
        """The cards that have not been drawn."""
        return tuple(card for card in range(1, kernel.DECK_SIZE + 1) if card not in self.draws)

    @property
    def progress(self) -> int:
        """The number of complete rounds."""
        return self.round

    @property
    def outcome(self) -> Outcome | None:
        """The winners and the reason once 16 rounds are complete, else None."""
        if self.round < kernel.ROUNDS:
            return None
        totals = [board.total() for board in self.boards]
        winners = tuple(kernel.winners(self.boards))
        return Outcome(winners, outcome_text(totals, winners, self.rating))

    @property
    def rating(self) -> str | None:
        """The rating of a lone player's total, such as `good`, once the game is over; else None."""
        alone = self.players == 1 and self.round == kernel.ROUNDS
        return kernel.rating(self.boards[0].total()) if alone else None

    def display(self, player: int = 0) -> Display:
        """Return a player's display."""
        return Display(self.boards[player])

    # --- play

    def draw_chance_step(self, rng: RandomSource) -> Step:
        """Return a step that draws one of the unseen cards at random."""
        return Step(None, str(as_random(rng).choice(self.unseen)))

    def draw_card(self, card: SupportsIndex) -> Position:
        """Return the position in which the next round has begun with this card."""
        card = expect_int(card, "a card", range(1, kernel.DECK_SIZE + 1))
        if card in self.draws:
            raise IllegalTurnError(f"card {card} was already drawn in round {self.draws.index(card) + 1}")
        if not self.awaits_chance:
            if self.round == kernel.ROUNDS:
                raise IllegalTurnError("the game is over")
            raise IllegalTurnError("a card is drawn only when all players have finished the round before")
        return replace(self, draws=(*self.draws, card))

    def legal_turns(self, player: int | None = None) -> LegalTurns[Turn]:
        """Return all legal turns of a player; without one, those of the only player to move.

        The list is empty if it is not that player's turn, or if several players are to move and none is given.
        """
        codes: Sequence[int] = ()
        if player is not None or len(self.to_move) == 1:
            player = resolve_player(self, player)
            if player in self.to_move:
                codes = self.boards[player].legal_turns(self._drawn)
        return LegalTurns(codes, Turn.from_code, encode_turn)

    def draft(self, player: int | None = None) -> Draft[Turn]:
        """Return a draft in which a turn is chosen part by part, for a player or the only one to move."""
        return Draft.of(self.legal_turns(resolve_player(self, player)))

    def play(self, turn: Turn | str | SupportsIndex, player: int | None = None) -> Position:
        """Return the position after a turn of a player, or of the only one to move.

        The turn is a `Turn`, its notation or its code. Raises IllegalTurnError with the reason if it is not legal.
        """
        undrawn = "no card has been drawn for this round"
        if player is None and self.awaits_chance:
            raise IllegalTurnError(undrawn)
        player = resolve_player(self, player)
        code = encode_turn(turn)
        if player not in self.to_move:
            if self.round == kernel.ROUNDS:
                raise IllegalTurnError("the game is over")
            raise IllegalTurnError(undrawn if self.awaits_chance else "this player has already moved in this round")
        after = self.boards[player].play(self._drawn, code)
        if isinstance(after, kernel.IllegalTurnReason):
            raise IllegalTurnError(illegal_turn_text(after, Turn.from_code(code), diagonal=self.diagonal))
        boards = (*self.boards[:player], after, *self.boards[player + 1 :])
        return replace(self, boards=boards)

    def apply(self, step: Step) -> Position:
        """Return the position after a step: a card that is drawn, or a player's turn."""
        if step.player is not None:
            return self.play(step.text, step.player)
        if not step.text.isdecimal() or len(step.text) > 2:
            raise InvalidInputError(f"{quote_truncated(step.text)} is not the number of a card")
        return self.draw_card(int(step.text))

    def playouts(self, games: int, seed: int, player: int = 0) -> list[int]:
        """Play games at random to the end; return how many ended with each total of the player (the list's index)."""
        unseen = sum(1 << card - 1 for card in self.unseen)
        drawn = self.draws[-1] - 1 if player in self.to_move else -1
        return self.boards[player].playouts(self.deck.cards, unseen, drawn, games, seed)

    @property
    def _drawn(self) -> kernel.Card:
        return self.deck.cards[self.draws[-1] - 1]

    # --- output

    @property
    def position_string(self) -> str:
        """The position in one line of text; `limes.parse_position` reads it back."""
        from limina.limes.position_string import format_position

        return format_position(self)

    def summary(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the JSON object that `limina replay --json` prints, without the key `game`."""
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
        """Return the displays and the card of the round for a terminal.

        With a player, only that player's display is drawn, with the cells where the card may be laid.
        """
        # Imported here because most programs draw nothing.
        from limina.limes.draw import text

        players = range(self.players) if player is None else (player,)
        parts = []
        for seat in players:
            display = self.display(seat)
            frames = display.open_cells if player is not None and seat in self.to_move else ()
            name = f"Player {seat + 1}: " if self.players > 1 else ""
            parts.append(f"{name}{display.total} points, {display.supply} workers in the supply")
            parts.append(text.draw(display.scene(seat, frames=frames), color=color))
        if self.card is not None:
            face = self.deck.faces[self.card - 1]
            parts.append(f"Round {len(self.draws)} of {kernel.ROUNDS}, card {self.card}: {face}")
            parts.append(text.draw_cards([self.deck.scene()[self.card - 1]], color=color, numbers=False))
        outcome = self.outcome
        if outcome is not None:
            parts.append(outcome.reason[0].upper() + outcome.reason[1:] + ".")
        return "\n".join(parts)

    def svg(self, *, theme: str = "light", player: int | None = None) -> str:
        """Return an SVG picture of all displays side by side, or of one player's."""
        from limina.gamekit.svg import side_by_side
        from limina.limes.draw import svg

        players = range(self.players) if player is None else (player,)
        scenes = [self.display(seat).scene(seat) for seat in players]
        return side_by_side([svg.draw(scene, theme="dark" if theme == "dark" else "light") for scene in scenes])

    def __repr__(self) -> str:
        return f"<limes position: {self.players} players, {self.round} of {kernel.ROUNDS} rounds complete>"
