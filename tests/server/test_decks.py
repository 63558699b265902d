"""Decks that are shared by a link: kept under an id that follows from their faces, within bounds."""

from __future__ import annotations

import asyncio
import time
from random import Random
from typing import Any

import httpx
import pytest

from kit.clients import Client
from kit.databases import DECK, Database, Host, populate
from kit.stores import open_store
from limina.limes.deck import Deck
from limina.server.errors import RefusedError
from limina.server.model import SavedDeck
from limina.server.settings import Allowed
from limina.server.storage import Store, Written
from limina.server.web.rate_limits import RateLimits

MINE = Deck.random(Random(7), "mine")
DAY = 24 * 60 * 60 * 1000
FACES = list(MINE.faces)


def test_whoever_has_the_link_gets_the_deck_and_nobody_changes_it(ada: Client, ben: Client) -> None:
    shared = ada.call("POST", "/decks", {"game": "limes", "faces": FACES}, status=201)
    assert shared == {"id": MINE.id, "game": "limes", "faces": FACES}
    assert ben.call("GET", f"/decks/{MINE.id}") == shared
    # The same faces, however they are written, have the same id; any other deck has another one.
    spaced = [f"  {face.replace(' ', '   ')} " for face in FACES]
    assert ben.call("POST", "/decks", {"game": "limes", "faces": spaced}, status=201) == shared
    other = ben.call("POST", "/decks", {"game": "limes", "faces": [*FACES[1:], FACES[0]]}, status=201)
    assert other["id"] != shared["id"]
    for method in ("PUT", "DELETE", "PATCH", "POST"):
        assert httpx.request(method, f"{ben.base}/api/decks/{MINE.id}", json=other).status_code == 405
    assert ada.call("GET", f"/decks/{MINE.id}") == shared


BAD: list[tuple[dict[str, Any], int, str]] = [
    ({"game": "limes", "faces": FACES[:23]}, 400, "a deck has 24 cards, this one has 23"),
    ({"game": "limes", "faces": [*FACES[:22], "F W* F F", "F F F F"]}, 400, "card 23 has a hut on water"),
    ({"game": "limes", "faces": [*FACES[:4], "F X F F", *FACES[5:]]}, 400, "card 5 has a zone 'X'"),
    ({"game": "limes", "faces": [*FACES[:23], "F" * 41]}, 422, "faces"),
    ({"game": "limes", "faces": ["F F F F"] * 201}, 422, "faces"),
    ({"game": "limes", "faces": [*FACES[:23], 7]}, 422, "faces"),
    ({"game": "limes", "faces": FACES, "name": "rude"}, 422, "name"),
    ({"game": "limit", "faces": FACES}, 404, "is not played with a deck"),
    ({"game": "chess", "faces": FACES}, 400, "chess"),
    ({"faces": FACES}, 422, "game"),
]


@pytest.mark.parametrize(("body", "status", "words"), BAD)
def test_a_bad_deck_is_refused_in_a_sentence(ada: Client, body: dict[str, Any], status: int, words: str) -> None:
    assert words in ada.call("POST", "/decks", body, status=status)["error"]


def test_junk_is_no_deck(ada: Client) -> None:
    assert ada.call("POST", "/decks", {"game": "limes", "faces": ["x" * 30] * 5000}, status=413)["code"] == "too_large"
    assert "there is no such deck" in ada.call("GET", f"/decks/{'A' * 24}", status=404)["error"]
    for name in ("x", "A" * 25, "%00" * 24, "'; DROP TABLE"):
        assert ada.call("GET", f"/decks/{name}", status=422)["code"] == "unreadable"


def test_one_client_shares_only_so_many() -> None:
    limits = RateLimits(Allowed(decks_per_hour=3))
    for _ in range(3):
        limits.new_deck("192.0.2.1")
    with pytest.raises(RefusedError, match="you have shared many decks in the last hour: please try again in"):
        limits.new_deck("192.0.2.1")
    limits.new_deck("192.0.2.2")


def test_those_that_are_used_stay_when_there_are_too_many(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limina.server.storage.writer.MOST_DECKS", 3)
    decks = [SavedDeck(str(number), "limes", ("F",), 1000 + number) for number in range(5)]

    async def story() -> list[SavedDeck | None]:
        async with open_store(database.url) as store:
            for deck in decks[:3]:
                assert await store.keep_deck(deck) is Written.SAVED
            await store.keep_deck(decks[0]._replace(used=2000))
            for deck in decks[3:]:
                await store.keep_deck(deck)
            return [await store.deck(deck.id) for deck in decks]

    assert asyncio.run(story()) == [decks[0]._replace(used=2000), None, None, *decks[3:]]


def test_a_host_removes_those_that_nobody_uses(database: Database, host: Host) -> None:
    now = time.time_ns() // 1_000_000

    async def keep(_: object, store: Store) -> None:
        await store.keep_deck(SavedDeck(MINE.id, "limes", MINE.faces, now - 5 * DAY))

    database.tell(populate)
    database.tell(keep)
    assert host.ask("prune", database, "--decks", "10", "--dry-run")[:2] == (0, "would go: 1 deck\n")
    assert len(database.contents()["decks"]) == 2
    assert (
        host.ask("prune", database, "--decks", "10", "--finished", "999")[1]
        == "removed: 0 abandoned, 0 finished, 1 deck\n"
    )
    assert [row.id for row in database.contents()["decks"]] == [MINE.id] != [DECK.id]
    assert host.ask("check", database)[0] == 0
