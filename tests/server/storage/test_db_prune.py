"""`limina db prune` removes matches that are old by the host's rule, also while a server runs."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import closing
from pathlib import Path

import pytest

from limina.server.errors import RefusedError
from limina.server.matches import Match, MatchService
from limina.server.storage import Store, bus, maintenance, postgres_bus
from limina.server.storage.reviews import SavedReview
from support.database.databases import COMPRESSED_REVIEW, Database, DbCommand, match_ids, populate
from support.server.clients import Client
from support.server.match_services import (
    UpdateListener,
    choose_turn,
    match_request,
    play,
    play_out,
    refusal_code,
    small_match_request,
)
from support.server.server_process import running_server

DAY = 24 * 60 * 60 * 1000


def age(database: Database, days: int, *matches: str) -> None:
    """Move the events of matches into the past."""
    for match in matches:
        database.execute(
            "UPDATE events SET created_at = created_at - :time WHERE match_id = :id", time=days * DAY, id=match
        )


def match_ids_in(database: Database) -> set[str]:
    return {row.id for row in database.execute("SELECT id FROM matches")}


def test_old_matches_are_removed_with_all_their_rows(database: Database, db_command: DbCommand) -> None:
    finished, rematch, played, waiting = match_ids(database.run_with_service(populate))
    age(database, 100, finished, rematch, played)
    age(database, 10, waiting)
    before = database.contents()
    assert db_command.run("prune", database, "--abandoned", "30", "--dry-run")[:2] == (
        0,
        "would be deleted: 1 abandoned, 0 finished\n",
    )
    assert database.contents() == before
    # A rematch stays as long as the match that it follows.
    assert db_command.run("prune", database, "--abandoned", "30") == (0, "deleted: 1 abandoned, 0 finished\n", "")
    assert match_ids_in(database) == {finished, rematch, waiting}
    assert db_command.run("check", database)[0] == 0
    both = ("--abandoned", "30", "--finished", "99")
    assert db_command.run("prune", database, *both) == (0, "deleted: 1 abandoned, 1 finished\n", "")
    assert match_ids_in(database) == {waiting}
    left = database.contents()
    assert ({row[0] for row in left["events"]}, {row[1] for row in left["seat_tokens"]}) == ({waiting}, {waiting})
    assert left["reviews"] == []
    assert db_command.run("prune", database, *both) == (0, "deleted: 0 abandoned, 0 finished\n", "")
    assert db_command.run("check", database)[0] == 0


def test_many_matches_are_removed_in_small_transactions(
    database: Database, db_command: DbCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maintenance, "_REMOVALS_PER_TRANSACTION", 3)

    async def begin(service: MatchService, store: Store) -> list[Match]:
        await store.reviews.save_review(SavedReview("record of a client", "0", 1, COMPRESSED_REVIEW))
        return [(await service.create(small_match_request("person", "open")))[0].match for _ in range(10)]

    matches = match_ids(database.run_with_service(begin))
    age(database, 3, *matches[:8])
    assert db_command.run("prune", database, "--abandoned", "2")[:2] == (0, "deleted: 8 abandoned, 0 finished\n")
    assert match_ids_in(database) == set(matches[8:])
    assert len(database.contents()["reviews"]) == 1


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ((), "choose what to delete with --abandoned DAYS, --finished DAYS or --decks DAYS"),
        (("--finished", "0"), "--finished must be a number of days from 1 to 36500, not 0"),
        (("--abandoned", "-3"), "--abandoned must be a number of days from 1"),
        (("--abandoned", "9" * 30), "--abandoned must be a number of days from 1"),
    ],
)
def test_an_invalid_rule_is_one_sentence(
    rule: tuple[str, ...], words: str, file: Database, db_command: DbCommand
) -> None:
    assert words in db_command.refusal("prune", file, *rule)


# --- beside a server


def test_a_match_that_is_played_meanwhile_stays(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn is played between the selection and the removal of matches."""

    async def scenario(service: MatchService, store: Store) -> None:
        first, second = [(await service.create(small_match_request("person", "person")))[0] for _ in range(2)]
        remove = maintenance._remove

        async def play_first(*arguments: object) -> list[bool]:
            await play(service, first, (0,), 0, 0, choose_turn(first.match, 0), "k")
            return await remove(*arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(maintenance, "_remove", play_first)
        later = time.time_ns() // 1_000_000 + DAY
        assert await maintenance.prune(database.url, later, None) == (1, 0, 1)
        assert await store.versions([first.match.id, second.match.id]) == {first.match.id: first.match.version}
        again = MatchService(store)
        assert (await again.get(first.match.id)).match.played_turns.keys() == {"k"}
        await again.close()
        # The first turn in a removed match fails, and the next one is not found.
        with pytest.raises(RefusedError, match="could not be saved"):
            await play(service, second, (0,), 0, 0, choose_turn(second.match, 0), "k")
        assert await refusal_code(service.get(second.match.id)) == "not_found"

    database.run_with_service(scenario)


def test_a_server_evicts_removed_matches(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (bus, postgres_bus):
        monkeypatch.setattr(module, "COMPARE_SECONDS", 0.05)

    async def scenario(service: MatchService, store: Store) -> None:
        loaded, keys = await service.create(match_request("limes", "person", "person"))
        match = loaded.match
        await play_out(service, loaded)
        unwatched, _ = await service.create(small_match_request("person", "open"))
        listener = UpdateListener(loaded)
        later = time.time_ns() // 1_000_000 + DAY
        assert await maintenance.prune(database.url, later, later) == (1, 1, 0)
        await listener.until(lambda: loaded.invalidated)
        assert [await refusal_code(service.get(gone.id)) for gone in (match, unwatched.match)] == ["not_found"] * 2
        assert await service.matches_by_token(keys.values(), 10) == []

    database.run_with_service(scenario)


def test_servers_with_a_shared_postgresql_notice_at_once(server_database: Database) -> None:
    async def scenario() -> None:
        store = Store(server_database.url, shared=True)
        await store.open()
        service = MatchService(store)
        loaded, _ = await service.create(small_match_request("person", "open"))
        match = loaded.match
        later = time.time_ns() // 1_000_000 + DAY
        assert await maintenance.prune(server_database.url, later, None) == (1, 0, 0)
        assert await refusal_code(service.get(match.id)) == "not_found"
        await service.close()
        await store.close()

    asyncio.run(scenario())


def test_a_viewer_of_a_removed_match_is_disconnected(database: Database, db_command: DbCommand, tmp_path: Path) -> None:
    """A server process runs beside the command."""
    arguments = () if database.is_file else (*database.arguments, "--shared")
    with running_server(tmp_path / "data", *arguments) as server, closing(Client(server.address)) as ada:
        recent, old = (ada.create("limes", "me", "open")["match_id"] for _ in range(2))
        age(database, 5, old)
        assert db_command.run("prune", database, "--abandoned", "4")[1] == "deleted: 1 abandoned, 0 finished\n"
        assert db_command.run("check", database)[0] == 0
        ada.state(recent)
        if not database.is_file:  # SQLite: the regular comparison is tested above
            assert json.loads(ada.request("GET", f"/matches/{old}").text)["code"] == "not_found"
        # Turns and seats are refused in a removed match.
        answer = ada.request("POST", f"/matches/{old}/join", {"name": "Ben"})
        assert answer.status_code in (404, 503), answer.text
        assert ada.request("GET", f"/matches/{old}").status_code == 404
    assert match_ids_in(database) == {recent}
