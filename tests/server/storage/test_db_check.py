"""`limina db check` prints a line for each damaged match or row, and changes nothing."""

from __future__ import annotations

import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from limina.server.storage import migrations
from support.database.databases import DECK, Database, DbCommand, match_ids, populate
from support.server.clients import Client
from support.server.server_process import running_server

# Statements that damage the rows of a match, and a part of the line that the check prints.
EVENT, MATCH = "UPDATE events SET {} WHERE match_id = :id AND {}", "UPDATE matches SET {} WHERE id = :id"
KEYS = "its seat tokens are not those of its log: "
EVE = '[{"kind": "person", "name": "Eve", "token_hash": "e"}]'
DAMAGES = {
    "DELETE FROM events WHERE match_id = :id AND event_index = 7": "event 7 is missing in its log",
    MATCH.format("version = version + 1"): "its version is ",
    MATCH.format("is_over = NOT is_over"): "it is stored as running, and is not",
    "DELETE FROM seat_tokens WHERE match_id = :id AND seat_index = 1": KEYS + "1 are missing, 0 are too many",
    "INSERT INTO seat_tokens VALUES ('stolen', :id, 1)": KEYS + "0 are missing, 1 are too many",
    EVENT.format("payload = 'a1r0'", "event_index = 5"): "event 5 (turn): ",
    EVENT.format("seat_index = 1 - seat_index", "event_index = 2"): "event 3 (turn): ",
    EVENT.format("kind = 'nonsense'", "event_index = 2"): "event 2 cannot be of the kind 'nonsense'",
    EVENT.format("payload = 'nowhere'", "kind = 'rematch'"): "its rematch 'nowhere' does not exist",
    EVENT.format("payload = :other", "kind = 'rematch'"): "has another game or other players",
    EVENT.format(
        "kind = 'seat_taken', seat_index = 0, payload = :eve", "kind = 'rematch'"
    ): "another person had this seat already",
    MATCH.format("secret_salt = 'none'"): "the salt of its commitment is invalid",
    MATCH.format("secret_chance_outcomes = '1,2'"): "of chance is not the one that was decided in advance",
    MATCH.format("start = 'nonsense'"): "its rows cannot be read",
    MATCH.format("game = 'chess'"): "chess",
    MATCH.format("options = :option"): "its options are not those of its start",
}


def test_matches_that_a_server_has_written_are_sound(database: Database, db_command: DbCommand) -> None:
    matches = database.run_with_service(populate)
    status, out, _ = db_command.run("check", database)
    events = len(database.contents()["events"])
    assert (status, out) == (0, f"{len(matches)} matches with {events} events, 1 review, 1 deck: no damage\n")


def test_every_damage_is_one_line_and_nothing_is_changed(database: Database, db_command: DbCommand) -> None:
    matches = database.run_with_service(lambda service, store: populate(service, store, finished=len(DAMAGES)))
    finished, rematches, other = matches[:-2:2], matches[1:-2:2], matches[-1].id
    damaged = dict(zip(DAMAGES, match_ids(finished), strict=True))
    for damage, match in damaged.items():
        values = {"id": match, "other": other, "eve": EVE, "option": '{"ferryman": true}'}
        database.execute(damage, **{name: value for name, value in values.items() if f":{name}" in damage})
    # The log ends before the first card is drawn.
    torn, running = match_ids(rematches[:2])
    database.execute(
        MATCH.format("version = 0"), "DELETE FROM events WHERE match_id = :id AND event_index > 0", id=torn
    )
    database.execute(MATCH.format("is_over = NOT is_over"), id=running)
    before = database.contents()
    status, out, _ = db_command.run("check", database)
    *lines, last = out.splitlines()
    damage_by_id = dict(line.split(": ", 1) for line in lines)
    for damage, match in damaged.items():
        assert DAMAGES[damage] in damage_by_id.pop(match, "nothing"), damage
    assert damage_by_id == {
        torn: "the outcome of chance after the last turn is missing",
        running: "it is stored as over, and is not",
    }
    assert (status, last.endswith(f"1 review, 1 deck: {len(DAMAGES) + 2} damaged")) == (1, True)
    assert database.contents() == before


def test_damaged_reviews_and_decks_and_orphaned_rows_are_found(file: Database, db_command: DbCommand) -> None:
    Path(file.arguments[1]).mkdir()
    first, *_ = file.run_with_service(populate)
    file.execute(
        "UPDATE reviews SET lines = 'x' WHERE review_id = :id",
        "UPDATE decks SET faces = replace(faces, 'W', 'F')",
        "DELETE FROM matches WHERE id <> :id",
        "DELETE FROM events WHERE match_id = :id AND kind = 'rematch'",
        MATCH.format("version = version - 1"),
        id=first.id,
    )
    status, out, _ = db_command.run("check", file)
    assert status == 1
    assert out.splitlines()[:4] == [
        "events: 8 rows belong to no match",
        "seat_tokens: 5 rows belong to no match",
        f"the review of {first.id}: it cannot be read",
        f"the deck {DECK.id}: its id is not the hash of its faces",
    ]


def test_deeply_nested_json_is_one_line_for_each_row(database: Database, db_command: DbCommand) -> None:
    matches = database.run_with_service(populate)
    deep = "[" * 100_000 + "]" * 100_000
    database.execute(MATCH.format("start = :deep"), id=matches[0].id, deep=deep)
    database.execute(EVENT.format("payload = :deep", "event_index = 0"), id=matches[2].id, deep=deep)
    database.execute(MATCH.format("secret_chance_outcomes = :deep"), id=matches[3].id, deep=deep)
    database.execute("UPDATE reviews SET lines = :lines", lines=zlib.compress(deep.encode()))
    database.execute("UPDATE decks SET faces = :deep", deep=deep)
    status, out, _ = db_command.run("check", database)
    *lines, last = out.splitlines()
    assert sorted(lines[:3]) == sorted(f"{match.id}: its rows cannot be read" for match in (matches[0], *matches[2:]))
    assert lines[3:] == [
        f"the review of {matches[0].id}: it cannot be read",
        f"the deck {DECK.id}: its id is not the hash of its faces",
    ]
    assert (status, last.endswith("1 review, 1 deck: 5 damaged")) == (1, True)


def test_the_check_runs_beside_a_server(database: Database, db_command: DbCommand, tmp_path: Path) -> None:
    arguments = () if database.is_file else database.arguments
    with running_server(tmp_path / "data", *arguments) as server, closing(Client(server.address)) as ada:
        matches = [ada.create("limes", "me", "random")["match_id"] for _ in range(3)]
        for match in matches:
            live = ada.live(match)
            live.play_until(lambda state: state["seats"][0]["turn_count"] == 3, Random(1))
        status, out, err = db_command.run("check", database)
        assert (status, "no damage" in out) == (0, True), (out, err)
        live.play_until(lambda state: state["phase"] == "over", Random(1))
    assert db_command.run("check", database)[0] == 0


# --- databases that cannot be checked


@pytest.mark.parametrize("command", ["check", "migrate", "prune"])
def test_a_missing_or_foreign_database_is_one_sentence(
    command: str, file: Database, db_command: DbCommand, tmp_path: Path, postgres: str
) -> None:
    more = ("--abandoned", "3") if command == "prune" else ()
    assert "there is no database at" in db_command.refusal(command, file, *more)
    folder = Path(file.arguments[1])
    folder.mkdir()
    (folder / "limina.sqlite").mkdir()
    assert "there is no database at" in db_command.refusal(command, file, *more)
    (folder / "limina.sqlite").rmdir()
    (folder / "limina.sqlite").write_text("this is not a database, whatever its name says" * 50)
    assert db_command.refusal(command, file, *more) == "the database cannot be used: file is not a database"
    unreachable = Database(file.url, ("--database", "postgresql://localhost:1/none"))
    assert db_command.refusal(command, unreachable, *more).startswith("the database cannot be used: ")
    invalid_address = Database(file.url, ("--database", "nonsense"))
    assert "must be an address such as" in db_command.refusal(command, invalid_address, *more)


def test_missing_tables_and_other_revisions_are_one_sentence(database: Database, db_command: DbCommand) -> None:
    if database.is_file:
        Path(str(database.url.database)).touch()
    assert "there are no games in this database" in db_command.refusal("check", database)
    database.execute("CREATE TABLE alembic_version (version_num VARCHAR(32))")
    database.execute("CREATE TABLE matches (id VARCHAR(32))")
    database.execute("INSERT INTO alembic_version VALUES ('0008')")
    assert db_command.refusal("check", database) == (
        f"the tables are of revision 0008: bring them to {migrations.HEAD} with limina db migrate"
    )
    database.execute("UPDATE alembic_version SET version_num = '9999'")
    for command in ("check", "migrate"):
        assert "written by a newer version of limina" in db_command.refusal(command, database)


def test_missing_privileges_are_one_sentence(server_database: Database, db_command: DbCommand, postgres: str) -> None:
    server_database.run_with_service(populate)
    server_database.execute("CREATE ROLE other_role LOGIN")
    try:
        other_role = Database(server_database.url, ("--database", postgres.replace("//postgres:@", "//other_role:@")))
        assert other_role.arguments != server_database.arguments
        assert db_command.refusal("check", other_role).endswith("permission denied for table alembic_version")
    finally:
        server_database.execute("DROP ROLE other_role")


def test_a_locked_file_is_one_sentence(file: Database, db_command: DbCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(file.arguments[1]).mkdir()
    file.run_with_service(populate)
    monkeypatch.setattr("limina.server.storage.database._BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(str(file.url.database), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert db_command.run("check", file)[0] == 0, "a read does not wait"
        other.execute("UPDATE events SET created_at = 1000")
        other.execute("COMMIT")
        other.execute("BEGIN IMMEDIATE")
        assert (
            db_command.refusal("prune", file, "--abandoned", "1") == "the database cannot be used: database is locked"
        )
