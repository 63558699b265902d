"""HTTP for decks that are shared by a link. Each has an id that follows from its faces, so nobody can change it."""

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
from limina.server.api.deps import ANALYSIS, CountAct, ReviewsDep, StoreDep
from limina.server.api.responses import ERROR_RESPONSES, json_response
from limina.server.api.review_routes import lines_in, review_stream
from limina.server.errors import RefusedError, UnavailableError
from limina.server.schemas.matches import DeckId, DeckState, NewDeck
from limina.server.storage.decks import DeckRepository, SavedDeck

_DAY = 24 * 60 * 60 * 1000
"""In milliseconds: it is noted no more often that a deck is used."""

router = APIRouter(prefix="/api/decks", responses=ERROR_RESPONSES)


@router.post("", response_model=DeckState, status_code=201)
async def share(body: NewDeck, store: StoreDep, count_act: CountAct) -> Response:
    """Keep a deck, so that others can have it by its id. The same faces have the same id, whoever sends them."""
    deck = read_deck(body)
    count_act("deck")
    saved = SavedDeck(deck.id, body.game, deck.faces, _now())
    await store.decks.save_deck(saved)
    return json_response(_state(saved), 201)


@router.post("/trial", response_class=StreamingResponse, responses=lines_in("TrialLine"), dependencies=[ANALYSIS])
async def trial(body: NewDeck, reviews: ReviewsDep) -> Response:
    """Let bots play a deck on random deals, and the usual deck on the same ones. Only their scores are kept."""
    deck = read_deck(body)
    return await review_stream(reviews, f"deck {deck.id}", ReviewRequest.from_deck(body.game, deck.faces))


@router.get("/{deck_id}", response_model=DeckState)
async def shared(deck_id: DeckId, store: StoreDep) -> Response:
    """A deck that somebody has shared."""
    found = await store.decks.deck(deck_id)
    if found is None:
        raise RefusedError("not_found", "there is no such deck: those that nobody uses for long are not kept")
    response = json_response(_state(found))
    if found.used_at < _now() - _DAY:
        response.background = BackgroundTask(_note_use, store.decks, found)
    return response


async def _note_use(decks: DeckRepository, deck: SavedDeck) -> None:
    with suppress(UnavailableError):  # it is in the log, and the next use is noted again
        await decks.save_deck(deck._replace(used_at=_now()))


def read_deck(body: NewDeck) -> Deck:
    """The deck that somebody sends; LiminaError says which of its cards is wrong, or that the game has none."""
    game = registry.game(body.game)
    if game.decks is None:
        raise RefusedError("not_found", f"{quote_truncated(game.name)} is not played with a deck")
    return game.decks.from_faces(body.faces)


def _state(deck: SavedDeck) -> dict[str, object]:
    return {"deck_id": deck.id, "game": deck.game, "faces": deck.faces}


def _now() -> int:
    return time.time_ns() // 1_000_000
