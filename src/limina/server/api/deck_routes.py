"""HTTP for decks that are shared by a link. Each has an id that follows from its faces, so nobody can change it."""

from __future__ import annotations

import time

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse

from limina import games
from limina.capabilities import Deck
from limina.check import short
from limina.server.analysis.reviews import ReviewRequest
from limina.server.api.deps import ANALYSIS, CountAct, ReviewsDep, StoreDep
from limina.server.api.responses import ERROR_RESPONSES, json_response
from limina.server.api.review_routes import lines_in, review_stream
from limina.server.errors import RefusedError, UnavailableError
from limina.server.model import SavedDeck
from limina.server.storage import Written
from limina.server.wire.schemas import DeckId, DeckState, NewDeck

_DAY = 24 * 60 * 60 * 1000
"""In milliseconds: it is noted no more often that a deck is used."""

router = APIRouter(prefix="/api/decks", responses=ERROR_RESPONSES)


@router.post("", response_model=DeckState, status_code=201)
async def share(body: NewDeck, store: StoreDep, count_act: CountAct) -> Response:
    """Keep a deck, so that others can have it by its id. The same faces have the same id, whoever sends them."""
    deck = read_deck(body)
    count_act("deck")
    saved = SavedDeck(deck.id, body.game, deck.faces, _now())
    if await store.keep_deck(saved) is not Written.SAVED:
        raise UnavailableError("the deck could not be saved: please try again")
    return json_response(_state(saved), 201)


@router.post("/trial", response_class=StreamingResponse, responses=lines_in("TrialLine"), dependencies=[ANALYSIS])
async def trial(body: NewDeck, reviews: ReviewsDep) -> Response:
    """Let bots play a deck on random deals, and the usual deck on the same ones. Only their scores are kept."""
    deck = read_deck(body)
    return await review_stream(reviews, f"deck {deck.id}", ReviewRequest.trial(body.game, deck.faces))


@router.get("/{deck}", response_model=DeckState)
async def shared(deck: DeckId, store: StoreDep) -> Response:
    """A deck that somebody has shared."""
    found = await store.deck(deck)
    if found is None:
        raise RefusedError("not_found", "there is no such deck: those that nobody uses for long are not kept")
    if found.used < _now() - _DAY:
        store.keep_deck(found._replace(used=_now()))  # nobody waits for it
    return json_response(_state(found))


def read_deck(body: NewDeck) -> Deck:
    """The deck that somebody sends; LiminaError says which of its cards is wrong, or that the game has none."""
    game = games.game(body.game)
    if game.decks is None:
        raise RefusedError("not_found", f"{short(game.name)} is not played with a deck")
    return game.decks.of(body.faces)


def _state(deck: SavedDeck) -> dict[str, object]:
    return {"id": deck.id, "game": deck.game, "faces": deck.faces}


def _now() -> int:
    return time.time_ns() // 1_000_000
