"""Routes for shared decks. The id of a deck is a hash of its contents, so a shared deck never changes."""

from __future__ import annotations

import time
from contextlib import suppress

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse
from starlette.background import BackgroundTask

from limina.core import registry
from limina.core.capabilities import Deck
from limina.core.validation import quote_truncated
from limina.server.analysis.reviews import ReviewRequest
from limina.server.api.deps import ANALYSIS, RateLimitDep, ReviewsDep, StoreDep
from limina.server.api.responses import ERROR_RESPONSES, json_response
from limina.server.api.review_routes import review_stream, stream_of
from limina.server.errors import RefusedError, UnavailableError
from limina.server.schemas.matches import DeckId, DeckState, NewDeck
from limina.server.storage.decks import DeckRepository, SavedDeck

_USE_INTERVAL_MILLISECONDS = 24 * 60 * 60 * 1000
"""Minimum time between two updates of a deck's last use."""

router = APIRouter(prefix="/api/decks", responses=ERROR_RESPONSES)


@router.post("", response_model=DeckState, status_code=201)
async def share_deck(body: NewDeck, store: StoreDep, rate_limit: RateLimitDep) -> Response:
    """Share a deck: store it, and return its id. Equal decks have the same id."""
    deck = _read_deck(body)
    rate_limit("deck")
    saved = SavedDeck(deck.id, body.game, deck.faces, _now())
    await store.decks.save_deck(saved)
    return json_response(_deck_state(saved), 201)


@router.post("/trial", response_class=StreamingResponse, responses=stream_of("TrialLine"), dependencies=[ANALYSIS])
async def try_deck(body: NewDeck, reviews: ReviewsDep) -> Response:
    """Let bots play random deals with a deck and with the standard deck, and return their points as a stream."""
    deck = _read_deck(body)
    return await review_stream(reviews, f"deck {deck.id}", ReviewRequest.from_deck(body.game, deck.faces))


@router.get("/{deck_id}", response_model=DeckState)
async def get_deck(deck_id: DeckId, store: StoreDep) -> Response:
    """Return a shared deck."""
    deck = await store.decks.deck(deck_id)
    if deck is None:
        raise RefusedError("not_found", "this deck does not exist, or it was deleted after a long time without use")
    response = json_response(_deck_state(deck))
    if deck.used_at < _now() - _USE_INTERVAL_MILLISECONDS:
        response.background = BackgroundTask(_save_use, store.decks, deck)
    return response


async def _save_use(decks: DeckRepository, deck: SavedDeck) -> None:
    with suppress(UnavailableError):  # the store logs it, and the next request saves the use
        await decks.save_deck(deck._replace(used_at=_now()))


def _read_deck(body: NewDeck) -> Deck:
    """Return the deck of a request. Raise LiminaError if a card is invalid or the game has no decks."""
    game = registry.game(body.game)
    if game.decks is None:
        raise RefusedError("not_found", f"{quote_truncated(game.name)} is not played with a deck")
    return game.decks.from_faces(body.faces)


def _deck_state(deck: SavedDeck) -> dict[str, object]:
    return {"deck_id": deck.id, "game": deck.game, "faces": deck.faces}


def _now() -> int:
    return time.time_ns() // 1_000_000
