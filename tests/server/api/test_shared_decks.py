"""Shared decks: ids, trials, the time of the last use, and the limit of stored decks."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import aclosing, closing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from limina import __version__
from limina.limes.decks.deck import Deck
from limina.server.analysis.reviews import TRIAL_DEALS, ReviewRequest
from limina.server.errors import RefusedError, UnavailableError
from limina.server.network.rate_limits import RateLimits
from limina.server.schemas.reviews import TRIAL_LINE
from limina.server.settings import ClientLimits
from limina.server.storage import Store
from limina.server.storage.decks import SavedDeck
from limina.server.storage.reviews import SavedReview
from support.database.databases import DECK, Database, DbCommand, populate
from support.database.stores import open_store
from support.server.clients import Client
from support.server.job_workers import until_job_count
from support.server.reviews import review_backend
from support.server.scripted_process import printing_command
from support.server.server_process import server_address
from support.waiting import wait_until

MINE = Deck.random(Random(7), "mine")
DAY = 24 * 60 * 60 * 1000
FACES = list(MINE.faces)


def test_a_shared_deck_is_returned_by_its_id_and_never_changes(ada: Client, ben: Client) -> None:
    shared = ada.call("POST", "/decks", {"game": "limes", "faces": FACES}, status=201)
    assert shared == {"deck_id": MINE.id, "game": "limes", "faces": FACES}
    assert ben.call("GET", f"/decks/{MINE.id}") == shared
    # The same faces, however they are written, have the same id; any other deck has another one.
    spaced = [f"  {face.replace(' ', '   ')} " for face in FACES]
    assert ben.call("POST", "/decks", {"game": "limes", "faces": spaced}, status=201) == shared
    other = ben.call("POST", "/decks", {"game": "limes", "faces": [*FACES[1:], FACES[0]]}, status=201)
    assert other["deck_id"] != shared["deck_id"]
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
def test_an_invalid_deck_is_refused_with_a_message(ada: Client, body: dict[str, Any], status: int, words: str) -> None:
    assert words in ada.call("POST", "/decks", body, status=status)["error"]


def test_malformed_and_unknown_deck_ids_are_refused(ada: Client) -> None:
    assert ada.call("POST", "/decks", {"game": "limes", "faces": ["x" * 30] * 5000}, status=413)["code"] == "too_large"
    assert "this deck does not exist" in ada.call("GET", f"/decks/{'A' * 24}", status=404)["error"]
    for name in ("x", "A" * 25, "%00" * 24, "'; DROP TABLE"):
        assert ada.call("GET", f"/decks/{name}", status=422)["code"] == "invalid"


def trial_of(ada: Client, faces: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the lines of a trial of a deck: the points of bots."""
    with ada.http.stream("POST", "/api/decks/trial", json={"game": "limes", "faces": faces}, timeout=120) as answer:
        assert answer.status_code == 200, answer.read()
        for line in answer.iter_lines():
            TRIAL_LINE.validate_json(line)
            yield json.loads(line)


def test_a_trial_streams_the_points_of_each_deal(ada: Client) -> None:
    begin, *deals, end = trial_of(ada, FACES)
    assert (begin["turn_count"], end["type"]) == (TRIAL_DEALS, "end")
    assert 1 <= len(deals) <= TRIAL_DEALS  # a trial on a busy machine reaches its time limit
    for deal in deals:
        for place in (0, 1):
            greedy, skilled, par = (deal["points"][name][place] for name in ("greedy", "skilled", "par"))
            assert 0 < max(greedy, skilled) <= par
    assert "card 23 has a hut" in ada.call("POST", "/decks/trial", BAD[1][0], status=400)["error"]


def test_an_unread_trial_is_ended_and_an_incomplete_one_is_not_saved(tmp_path: Path) -> None:
    deal, end = '{"type":"deal","points":{"par":[1]}}', '{"type":"end","par":null,"bound":null}'
    request = ReviewRequest.from_deck("limes", FACES)

    async def scenario() -> None:
        async with review_backend(tmp_path, printing_command(deal, stays=True)) as backend:
            store = backend.store
            async with aclosing(backend.reviews.stream("deck x", request)) as lines:
                assert json.loads([await anext(lines), await anext(lines)][1]) == json.loads(deal)
            await backend.reviews.stop()
            await until_job_count(store, 0)
            for count, is_saved in ((3, False), (TRIAL_DEALS, True)):
                backend.reviews._command = printing_command(*[deal] * count, end)
                assert len([line async for line in backend.reviews.stream("deck x", request)]) == count + 2
                async with asyncio.timeout(30):
                    while is_saved and await store.reviews.review("deck x", __version__) is None:
                        await asyncio.sleep(0.01)  # its lines are sent before it is saved
                assert is_saved or await store.reviews.review("deck x", __version__) is None

    asyncio.run(scenario())


def test_a_review_is_saved_even_if_the_server_stops_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ['{"type":"deal","points":{"par":[1]}}'] * TRIAL_DEALS + ['{"type":"end","par":null,"bound":null}']

    async def scenario() -> None:
        async with review_backend(tmp_path, printing_command(*lines)) as backend:
            store, reviews = backend.store, backend.reviews
            saving, go_on, save = asyncio.Event(), asyncio.Event(), store.reviews.save_review

            async def save_late(review: SavedReview) -> None:
                saving.set()
                await go_on.wait()
                await save(review)

            monkeypatch.setattr(store.reviews, "save_review", save_late)

            async def listen() -> None:
                async for _ in reviews.stream("deck x", ReviewRequest.from_deck("limes", FACES)):
                    pass

            listening = asyncio.create_task(listen())
            await saving.wait()
            stopping = asyncio.create_task(reviews.stop())
            await asyncio.sleep(0)
            go_on.set()
            await stopping
            await listening
            assert await store.reviews.review("deck x", __version__) is not None

    asyncio.run(scenario())


def test_a_review_that_cannot_be_saved_is_still_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ['{"type":"deal","points":{"par":[1]}}'] * TRIAL_DEALS + ['{"type":"end","par":null,"bound":null}']

    async def scenario() -> None:
        async with review_backend(tmp_path, printing_command(*lines)) as backend:
            store, reviews = backend.store, backend.reviews
            tried = asyncio.Event()

            async def fail(review: SavedReview) -> None:
                tried.set()
                raise UnavailableError("nothing can be saved")

            monkeypatch.setattr(store.reviews, "save_review", fail)
            for _ in range(2):
                lines_sent = [line async for line in reviews.stream("deck x", ReviewRequest.from_deck("limes", FACES))]
                assert len(lines_sent) == TRIAL_DEALS + 2
                await tried.wait()
            await until_job_count(store, 0)
            await reviews.stop()  # raises nothing

    asyncio.run(scenario())


def test_loading_a_deck_updates_its_last_use(tmp_path: Path, file: Database) -> None:
    now = time.time_ns() // 1_000_000

    async def keep(_: object, store: Store) -> None:
        await store.decks.save_deck(SavedDeck(MINE.id, "limes", MINE.faces, now - 2 * DAY))

    (tmp_path / "data").mkdir()
    file.run_with_service(keep)
    with server_address(tmp_path / "data") as address, closing(Client(address)) as client:
        assert client.call("GET", f"/decks/{MINE.id}")["faces"] == FACES
        wait_until(lambda: file.execute("SELECT used_at FROM decks")[0].used_at >= now)


def test_a_rematch_uses_the_same_deck(ada: Client) -> None:
    match = ada.create("limes", "me", options={"deck": FACES})["match_id"]
    ada.live(match).play_until(lambda state: state["phase"] == "over", Random(1))
    rematch = ada.call("POST", f"/matches/{match}/rematch", status=201, match_id=match)["match_id"]
    assert ada.call("GET", f"/matches/{rematch}/record")["deck"] == FACES


def test_sharing_decks_is_rate_limited() -> None:
    limits = RateLimits(ClientLimits(decks_per_hour=3))
    for _ in range(3):
        limits.take("192.0.2.1", "deck")
    with pytest.raises(RefusedError, match="you have shared many decks in the last hour: please try again in"):
        limits.take("192.0.2.1", "deck")
    limits.take("192.0.2.2", "deck")


def test_the_least_recently_used_decks_are_deleted(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limina.server.storage.decks.MAX_DECKS", 3)
    decks = [SavedDeck(str(number), "limes", ("F",), 1000 + number) for number in range(5)]

    async def scenario() -> list[SavedDeck | None]:
        async with open_store(database.url) as store:
            for deck in decks[:3]:
                await store.decks.save_deck(deck)
            await store.decks.save_deck(decks[0]._replace(used_at=2000))
            for deck in decks[3:]:
                await store.decks.save_deck(deck)
            return [await store.decks.deck(deck.id) for deck in decks]

    assert asyncio.run(scenario()) == [decks[0]._replace(used_at=2000), None, None, *decks[3:]]


def test_a_host_can_prune_unused_decks(database: Database, db_command: DbCommand) -> None:
    now = time.time_ns() // 1_000_000

    async def keep(_: object, store: Store) -> None:
        await store.decks.save_deck(SavedDeck(MINE.id, "limes", MINE.faces, now - 5 * DAY))

    database.run_with_service(populate)
    database.run_with_service(keep)
    assert db_command.run("prune", database, "--decks", "10", "--dry-run")[:2] == (0, "would be deleted: 1 deck\n")
    assert len(database.contents()["decks"]) == 2
    assert (
        db_command.run("prune", database, "--decks", "10", "--finished", "999")[1]
        == "deleted: 0 abandoned, 0 finished, 1 deck\n"
    )
    assert [row.id for row in database.contents()["decks"]] == [MINE.id] != [DECK.id]
    assert db_command.run("check", database)[0] == 0
