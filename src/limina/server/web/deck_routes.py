"""HTTP for decks that are shared by a link. Each has an id that follows from its faces, so nobody can change it."""

from __future__ import annotations

import time

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from limina import games
from limina.capabilities import Deck
from limina.check import short
from limina.server.analysis.reviews import ReviewRequest
from limina.server.errors import RefusedError, UnavailableError
from limina.server.model import SavedDeck
from limina.server.storage import Written
from limina.server.web.rate_limits import client_of
from limina.server.web.review_routes import lines_in, stream
from limina.server.web.routes import WRONG, answer
from limina.server.web.services import services_of
from limina.server.wire.schemas import DeckId, DeckState, NewDeck

_DAY = 24 * 60 * 60 * 1000
"""In milliseconds: it is noted no more often that a deck is used."""

routes = APIRouter(prefix="/api", responses=WRONG)


@routes.post("/decks", response_model=DeckState, status_code=201)
async def share(request: Request, wanted: NewDeck) -> Response:
    """Keep a deck, so that others can have it by its id. The same faces have the same id, whoever sends them."""
    deck = read_deck(wanted)
    services = services_of(request)
    services.limits.take(client_of(request.scope), "deck")
    saved = SavedDeck(deck.id, wanted.game, deck.faces, _now())
    if await services.store.keep_deck(saved) is not Written.SAVED:
        raise UnavailableError("the deck could not be saved: please try again")
    return answer(_state(saved), 201)


@routes.post("/decks/trial", response_class=StreamingResponse, responses=lines_in("TrialLine"))
async def trial(request: Request, wanted: NewDeck) -> Response:
    """Let bots play a deck on random deals, and the usual deck on the same ones. Only their scores are kept."""
    deck = read_deck(wanted)
    return await stream(request, f"deck {deck.id}", ReviewRequest.trial(wanted.game, deck.faces))


@routes.get("/decks/{deck}", response_model=DeckState)
async def shared(request: Request, deck: DeckId) -> Response:
    """A deck that somebody has shared."""
    store = services_of(request).store
    found = await store.deck(deck)
    if found is None:
        raise RefusedError("not_found", "there is no such deck: those that nobody uses for long are not kept")
    if found.used < _now() - _DAY:
        store.keep_deck(found._replace(used=_now()))  # nobody waits for it
    return answer(_state(found))


def read_deck(wanted: NewDeck) -> Deck:
    """The deck that somebody sends; LiminaError says which of its cards is wrong, or that the game has none."""
    game = games.game(wanted.game)
    if game.decks is None:
        raise RefusedError("not_found", f"{short(game.name)} is not played with a deck")
    return game.decks.of(wanted.faces)


def _state(deck: SavedDeck) -> dict[str, object]:
    return {"id": deck.id, "game": deck.game, "faces": deck.faces}


def _now() -> int:
    return time.time_ns() // 1_000_000
